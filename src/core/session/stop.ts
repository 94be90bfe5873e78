/**
 * A session wants to stop: may it? The rules of the specification, in their order, as one pure function. It can
 * only let go, send back to work, or ask for the promise to be run: nothing that a session says completes a loop.
 */
import { claimsAll, hasSame, openClaims, type StateFile } from './state-file.ts'
import { openTasks, type SessionTask } from './tasks.ts'
import { asksUser, type Workflow } from './workflow.ts'

/** A loop of a session as its marker in the data directory has it: out of the agent's work tree. */
export type SessionLoop = {
  tree: string
  /** Null until the first session stops. */
  session: string | null
  /** The loop in the journal; null where no command decides, so that nothing can complete. */
  id: string | null
  spec: string
  criteria: { name: string; command: string | null }[]
  /** As the journal has it. */
  status: string
  maxIterations: number | null
  budgetUsd: number | null
  /** Its directory of the run, below the work tree. */
  run: string | null
  /** What it is to be told since its last claim, each with who says it. */
  told: string[]
}

/** The hook's own count; kept by session, out of the work tree. */
export type Counter = {
  blocks: number
  /** Blocks in a row between which nothing has changed. */
  idle: number
  /** What there was to see at the last block. */
  seen: string
  /** How many of the texts of its user it has been told. */
  told: number
}

export const noBlocks: Counter = { blocks: 0, idle: 0, seen: '', told: 0 }

export type Situation = {
  session: string
  /** It was sent back to work since its user last said something. */
  again: boolean
  /** Subagents work in the background; the session stops again when they have reported. */
  subagents: boolean
  loop: SessionLoop | null
  counter: Counter
  file: StateFile | 'broken' | null
  workflow: Workflow | null
  tasks: readonly SessionTask[]
  costUsd: number | null
  /** How often in a row the host lets itself be blocked. */
  cap: number
}

/** Why a session is let go though nothing was verified; a reason of `loop.held`. */
export type SessionEnding =
  | 'session-ended'
  | 'session-stuck'
  | 'session-says-stuck'
  | 'session-limit'
  | 'budget-reached'

type Stop =
  | { do: 'allow'; rule: number; because: Because }
  /** The loop is to be marked as paused, or, where it is in no journal, forgotten. */
  | { do: 'end'; rule: number; ending: SessionEnding; because: Because }
  | { do: 'block'; rule: number; because: Because }
  /** The promise is to be run. `release`: whatever comes of it, the session may end, with this as the reason. */
  | { do: 'verify'; rule: number; release: SessionEnding | null }

export type Because =
  | 'no-loop'
  | 'unreadable'
  | 'other-session'
  | 'subagents'
  | 'asks-user'
  | 'over'
  | 'said-over'
  | 'stuck-count'
  | 'cap'
  | 'iterations'
  | 'budget'
  | 'tasks'
  | 'tasks-done'
  | 'unverifiable'
  | 'stage'
  | 'unmet'

export const stuckLimit = 5
const over = ['completed', 'cancelled', 'paused', 'failed', 'crashed']

/** By a word in the state file, which completes nothing. */
export function isOver(status: string): boolean {
  return over.includes(status)
}

export function decideStop(now: Situation): Stop {
  const file = now.file === 'broken' ? null : now.file
  const own = file?.driven ? null : file
  const workflow = isUnfinished(now.workflow) ? now.workflow : null
  const { loop } = now
  // 1. There is no loop here.
  if (!loop && !own && !workflow) {
    return { do: 'allow', rule: 1, because: now.file === 'broken' ? 'unreadable' : 'no-loop' }
  }
  // 2. It is another session's. One that is nobody's yet belongs to the first that stops.
  if (loop?.session && loop.session !== now.session) return allow(2, 'other-session')
  if (now.subagents) return allow(2, 'subagents')
  // 3. It is over, by the journal; or by a word in the file, which ends the session and completes nothing.
  if (loop && isOver(loop.status)) return allow(3, 'over')
  const claimed = isClaimed(loop, own)
  if (own && isOver(own.status)) {
    return loop ? letGo(claimed, 3, { ending: 'session-ended', because: 'said-over' }) : allow(3, 'over')
  }
  // 4. A limit is reached.
  const limit = limitReached(now, own)
  if (limit) return letGo(claimed, 4, limit)
  // 5. Tasks are open.
  if (openTasks(now.tasks).length > 0) return { do: 'block', rule: 5, because: 'tasks' }
  // 6. The session says that all is done.
  if (claimed === 'verifiable') return { do: 'verify', rule: 6, release: null }
  if (claimed) return { do: 'end', rule: 6, ending: 'session-ended', because: 'unverifiable' }
  return unfinished(now, own, workflow)
}

/** 7. It goes on, unless there is nothing left to do, or its user is asked something. */
function unfinished(now: Situation, own: StateFile | null, workflow: Workflow | null): Stop {
  if (expectedOf(now.loop, own).length > 0) return { do: 'block', rule: 7, because: 'unmet' }
  if (workflow) return asksUser(workflow) ? allow(7, 'asks-user') : { do: 'block', rule: 7, because: 'stage' }
  if (now.tasks.length > 0) return { do: 'end', rule: 7, ending: 'session-ended', because: 'tasks-done' }
  return own && own.claims.size > 0 ? { do: 'block', rule: 7, because: 'unmet' } : allow(7, 'no-loop')
}

function letGo(
  claimed: ReturnType<typeof isClaimed>,
  rule: number,
  end: { ending: SessionEnding; because: Because },
): Stop {
  if (claimed === 'verifiable') return { do: 'verify', rule, release: end.ending }
  return { do: 'end', rule, ...end }
}

function limitReached(
  now: Situation,
  file: StateFile | null,
): { ending: SessionEnding; because: Because } | null {
  const { loop, counter, cap, costUsd } = now
  if ((file?.stuckCount ?? 0) >= stuckLimit) return { ending: 'session-says-stuck', because: 'stuck-count' }
  if (idleBlocks(now) >= cap) return { ending: 'session-stuck', because: 'cap' }
  const most = loop ? loop.maxIterations : unboundIterations
  if (most !== null && (counter.blocks >= most || (file?.iteration ?? 0) > most)) {
    return { ending: 'session-limit', because: 'iterations' }
  }
  const budget = loop?.budgetUsd ?? null
  if (budget !== null && (costUsd ?? 0) >= budget) return { ending: 'budget-reached', because: 'budget' }
  return null
}

/** Of a state file that nobody has set up with loop. */
export const unboundIterations = 10

/** After a word of its user, or when something has changed, the count begins anew. */
function idleBlocks(now: Situation): number {
  return now.again && seenIn(now) === now.counter.seen ? now.counter.idle : 0
}

/** The counter after one more block. */
export function counted(now: Situation): Counter {
  const { counter, loop } = now
  return {
    blocks: counter.blocks + 1,
    idle: idleBlocks(now) + 1,
    seen: seenIn(now),
    told: Math.max(counter.told, loop?.told.length ?? 0),
  }
}

/** All that shows progress: claims, tasks, steps, iterations. */
function seenIn({ file, tasks, workflow }: Situation): string {
  const own = file === 'broken' ? null : file
  return JSON.stringify([
    own && [
      Array.from(own.claims.values(), ({ met }) => met),
      own.exitSignal,
      own.iteration,
      own.completedSteps.length,
    ],
    tasks.map(({ id, status }) => [id, status]),
    workflow?.stage ?? null,
  ])
}

/** The names that must be met: those set up with loop, else those of the file when it was first seen. */
export function expectedOf(loop: SessionLoop | null, file: StateFile | null): string[] {
  return loop ? loop.criteria.map(({ name }) => name) : [...(file?.claims.keys() ?? [])]
}

function isClaimed(loop: SessionLoop | null, file: StateFile | null): 'verifiable' | 'unverifiable' | null {
  if (!file || !claimsAll(file, expectedOf(loop, file))) return null
  return loop?.id ? 'verifiable' : 'unverifiable'
}

/** What the session has not claimed yet, in the order in which it was set up. */
export function unmetOf(loop: SessionLoop | null, file: StateFile | 'broken' | null): string[] {
  const own = file === 'broken' ? null : file
  const expected = expectedOf(loop, own)
  return own && hasSame(own, expected) ? openClaims(own, expected) : expected
}

export function isUnfinished(workflow: Workflow | null): boolean {
  return workflow !== null && workflow.stage !== 'complete' && !workflow.driven
}

function allow(rule: number, because: Because): Stop {
  return { do: 'allow', rule, because }
}
