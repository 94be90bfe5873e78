/**
 * Decides whether a session may stop: the rules of the specification, in their order, as one pure function. It
 * can release the session, send it back to work, or have the promise run. Nothing that a session says completes
 * a loop.
 */
import { claimsAll, hasSame, openClaims, type StateFile } from './state-file.ts'
import { asksUser, openTasks, type SessionTask, type Workflow } from './tasks.ts'

/** A session loop as recorded in its marker in the data directory, outside the agent's work tree. */
export type SessionLoop = {
  tree: string
  /** Null until the first session stops. */
  session: string | null
  /** The id of the journal; null if the loop has no command that decides, so that it can never complete. */
  id: string | null
  spec: string
  criteria: { name: string; command: string | null }[]
  /** The status in the journal. */
  status: string
  maxIterations: number | null
  budgetUsd: number | null
  /** The session's run directory, below the work tree. */
  run: string | null
  /** The messages for the session since its last claim, each with its sender. */
  told: string[]
  /** The directory of the bound task list. It survives a cleared session and a takeover by another session. */
  taskList?: string
  /** The process of the session's host, which survives a cleared session. */
  host?: string
}

/** The hook's own counter, kept per session outside the work tree. */
export type Counter = {
  blocks: number
  /** The number of consecutive blocks without any visible change. */
  idle: number
  /** A digest of the visible progress at the last block. */
  seen: string
  /** How many of the user's messages the session has been given. */
  told: number
}

export const noBlocks: Counter = { blocks: 0, idle: 0, seen: '', told: 0 }

export type Situation = {
  session: string
  /** The session has been sent back to work since its user's last message. */
  again: boolean
  /** Subagents work in the background; the session stops again after they have reported. */
  subagents: boolean
  loop: SessionLoop | null
  counter: Counter
  file: StateFile | 'broken' | null
  workflow: Workflow | null
  tasks: readonly SessionTask[]
  costUsd: number | null
  /** How often in a row the host program accepts a block. */
  cap: number
}

/** The reasons to release a session without a verification; each is a reason of `loop.held`. */
export type SessionEnding =
  | 'session-ended'
  | 'session-stuck'
  | 'session-says-stuck'
  | 'session-limit'
  | 'budget-reached'

type Stop =
  | { do: 'allow'; rule: number; because: Because }
  /** End the session's loop: it is marked as paused, or its marker is removed if it has no journal. */
  | { do: 'end'; rule: number; ending: SessionEnding; because: Because }
  | { do: 'block'; rule: number; because: Because }
  /** Run the promise. With `release` the session may end whatever the result, for this reason. */
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

/** The word in the state file ends the session, and completes nothing. */
export function isOver(status: string): boolean {
  return over.includes(status)
}

export function decideStop(now: Situation): Stop {
  const file = now.file === 'broken' ? null : now.file
  const own = file?.driven ? null : file
  const workflow = isUnfinished(now.workflow) ? now.workflow : null
  const { loop } = now
  // Rule 1: there is no loop here.
  if (!loop && !own && !workflow) {
    return { do: 'allow', rule: 1, because: now.file === 'broken' ? 'unreadable' : 'no-loop' }
  }
  // Rule 2: the loop belongs to another session. A loop without a session belongs to the first one that stops.
  if (loop?.session && loop.session !== now.session) return allow(2, 'other-session')
  if (now.subagents) return allow(2, 'subagents')
  // Rule 3: the loop is over in the journal, or in the state file, which ends only the session.
  if (loop && isOver(loop.status)) return allow(3, 'over')
  const claimed = isClaimed(loop, own)
  if (own && isOver(own.status)) {
    return loop ? letGo(claimed, 3, { ending: 'session-ended', because: 'said-over' }) : allow(3, 'over')
  }
  // Rule 4: a limit is reached.
  const limit = limitReached(now, own)
  if (limit) return letGo(claimed, 4, limit)
  // Rule 5: tasks are open.
  if (openTasks(now.tasks).length > 0) return { do: 'block', rule: 5, because: 'tasks' }
  // Rule 6: the session claims that everything is done.
  if (claimed === 'verifiable') return { do: 'verify', rule: 6, release: null }
  if (claimed) return { do: 'end', rule: 6, ending: 'session-ended', because: 'unverifiable' }
  return unfinished(now, own, workflow)
}

/** Rule 7: the session continues, unless nothing is left to do or its user has a question to answer. */
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

/** The limit for a state file that was not set up with loop. */
export const unboundIterations = 10

/** The count of idle blocks starts again after a message of the user or a visible change. */
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

/** Everything that shows progress: claims, tasks, steps, iterations. */
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

/** The names of the criteria to be met: those set up with loop, otherwise those first seen in the file. */
export function expectedOf(loop: SessionLoop | null, file: StateFile | null): string[] {
  return loop ? loop.criteria.map(({ name }) => name) : [...(file?.claims.keys() ?? [])]
}

function isClaimed(loop: SessionLoop | null, file: StateFile | null): 'verifiable' | 'unverifiable' | null {
  if (!file || !claimsAll(file, expectedOf(loop, file))) return null
  return loop?.id ? 'verifiable' : 'unverifiable'
}

/** The criteria that the session has not claimed yet, in their original order. */
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
