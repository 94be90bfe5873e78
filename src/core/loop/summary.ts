/**
 * The one derived row per loop: what `status` and `list` need, so that they fold no journal.
 * Status is derived here and nowhere else. Written in the append's transaction; can be rebuilt at any time.
 */

import type { CriterionResult, EventOf, Verdict } from '../../model/loop/event.ts'
import type { HookKind, Verification } from '../../model/loop/spec.ts'
import { type Head, headShape } from '../head.ts'
import { type Breaker, breakers } from './breaker.ts'
import { type Standing, standings } from './criteria.ts'
import { type Doubt, doubtsOf } from './parts/doubts.ts'
import { dueHook, hasHookLeft } from './parts/hook.ts'
import type { Changed } from './parts/tree.ts'
import { type TimeLimits, timedOut } from './run/fault.ts'
import { isIncomplete } from './run/spent.ts'
import { standing } from './standing.ts'
import type { State } from './state.ts'
import { type LimitedAgent, limitedAgents } from './usage-limit.ts'

export type Status =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'crashed'

export const statuses: readonly Status[] = [
  'queued',
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'crashed',
]

/** Rows of an older shape lack what has come since; the store fills in the head. */
export type Summary = Head & {
  /** The version of what a row holds; rows of the first have none. */
  shape?: number
  /** The fact behind the reason, where there is one: "exit 127: command not found". */
  detail: string
  iteration: number
  maxIterations: number | null
  /** Some of the cost was worked out from tokens and a price list. */
  costEstimated: boolean
  /** The agents have cost more than is known: `costUsd` is a lower bound, or null. Older rows have none. */
  costIncomplete?: true
  /** Why what the last run wrote of its usage cannot be used. Older rows have none. */
  usageProblem?: string | null
  budgetUsd: number | null
  prompt: string
  promise: string
  agent: string
  /** All agents that have run, where there were several. Older rows have none. */
  ran?: string[]
  /** How long it has been at work, and since when it is again; null while it rests. Older rows have neither. */
  activeMs?: number
  activeSince?: number | null
  /** What was asked for and takes effect later. Older rows have none. */
  pending?: 'pause' | 'cancel' | null
  waitUntil: number | null
  /** `usage-limit` is also an overload or no network: `limited` says which. */
  waitFor: 'agent-back-off' | 'usage-limit' | null
  /** The agents that cannot reach their models for a while. Older rows have none. */
  limited?: LimitedAgent[]
  /** Of a loop of the background; rows of before there were any have none. */
  restarts?: number
  /** The work is done in a session of a person; nobody hosts it in between. */
  session?: boolean
  /** The criterion a human is asked about. */
  question: string | null
  /** It is a question of the agent. */
  agentAsks: boolean
  criteria: Record<string, CriterionSummary>
  breakers: Breaker[]
  /** When it came to its outcome; `endedAt` is when something last happened to it. Older rows have none. */
  outcomeAt?: number | null
  /** What the tree was rolled back to since the promise was last run in it. Older rows have none. */
  rolledBackTo?: string | null
  /** What the promise itself changed when it was last run. Older rows have none. */
  byPromise?: Changed | null
  /** Why the promise may have passed without the work, where something says so. Older rows have none. */
  doubts?: Doubt[]
  /** What ran, runs or is to run after the end, where something was asked for. Older rows have none. */
  hook?: HookSummary
  /** The time limits that were run into, by their flags, in ms. Older rows have none. */
  timedOut?: TimeLimits
}

export const briefFields = [
  'id',
  'status',
  'iteration',
  'maxIterations',
  'costUsd',
  'costEstimated',
  'promise',
  'agent',
  'createdAt',
  'endedAt',
  'activeMs',
  'activeSince',
  'session',
  'costIncomplete',
] as const satisfies (keyof Summary)[]

/** As much of it as a line of a table needs; of the prompt, at least its first words. */
export type Brief = Pick<Summary, (typeof briefFields)[number] | 'cwd' | 'prompt'>

export type CriterionSummary = {
  met: boolean
  verification: Verification
  verdict: Verdict | null
  why: string
  evidence: Evidence | null
}

/** What a verdict rests on; the output is in a file below the directory of the loop. */
type Evidence = {
  command: string
  exitCode: number | null
  durationMs: number
  failing: number | null
  checkpoint: string | null
  output: string
}

/** `how`: how it ended; null while it has not. */
export type HookSummary = {
  on: HookKind
  command: string
  how: EventOf<'hook.ended'>['data']['how'] | null
  why: string
  exitCode: number | null
  durationMs: number | null
  output: string | null
}

export function summarize(state: State): Summary {
  const { spec, work, cost, turn } = state
  const { wait } = state.limits
  const { question } = state.human
  const doubts = doubtsOf(state)
  return {
    shape: headShape,
    kind: 'loop',
    group: spec.group ?? null,
    needsSlot: standing(state).status === 'running',
    id: state.id,
    seq: state.seq,
    ...standing(state),
    iteration: work.iteration,
    maxIterations: spec.maxIterations,
    costUsd: cost.costUsd,
    costEstimated: cost.costEstimated,
    ...(isIncomplete(cost) && { costIncomplete: true }),
    usageProblem: usageProblem(state),
    budgetUsd: spec.budgetUsd,
    prompt: spec.prompt.length > 400 ? `${spec.prompt.slice(0, 399)}…` : spec.prompt,
    promise: spec.criteria.flatMap(({ command }) => command ?? []).join(' && '),
    agent: work.agent,
    ...(work.ran.length > 1 && { ran: work.ran }),
    cwd: spec.cwd,
    createdAt: state.createdAt,
    endedAt: turn.outcome ? state.lastAt : null,
    activeMs: state.activeMs,
    activeSince: standing(state).status === 'running' ? state.lastAt : null,
    pending: pending(state),
    waitUntil: wait?.until ?? null,
    waitFor: wait?.for ?? null,
    limited: limitedAgents(state),
    queuedAt: turn.queuedAt,
    background: turn.background,
    restarts: turn.restarts,
    ...(spec.session && { session: true }),
    question: question?.criterion ?? null,
    agentAsks: question?.agent === true,
    holdsTree: holdsTree(state),
    criteria: Object.fromEntries(standings(state).map(row => [row.name, criterionRow(row)])),
    breakers: breakers(state),
    byPromise: state.tree.byPromise,
    ...(doubts.length > 0 && { doubts }),
    timedOut: timedOut(state),
    ...(hasHookLeft(state) && { unfinished: true }),
    ...hookRow(state),
    outcomeAt: turn.endedAt,
    rolledBackTo: state.tree.restoredTo,
  }
}

/** The hook of this end; before an end, that of the one before it. */
function hookRow(state: State): { hook?: HookSummary } {
  const { open, ended } = state.hook
  const begun = open ?? dueHook(state)
  if (begun) {
    const { on, command } = begun
    const why = open ? 'it runs' : 'not run yet'
    return { hook: { on, command, how: null, why, exitCode: null, durationMs: null, output: null } }
  }
  if (!ended) return {}
  const { on, command, how, why, exitCode, durationMs, output } = ended
  return { hook: { on, command, how, why, exitCode, durationMs, output: output?.path ?? null } }
}

/** Whether the promise was run after an iteration; the baseline is none. */
export function hasJudged({ work: { iteration, stage } }: State): boolean {
  return iteration > 1 || (iteration === 1 && stage === 'boundary')
}

/** Open: it has not ended. */
export function isOpen(status: Status): boolean {
  return isActive(status) || status === 'paused'
}

/** Active: loop may start an agent in the work tree without being asked again. */
export function isActive(status: Status): boolean {
  return status === 'queued' || status === 'running' || status === 'waiting'
}

/** Without a process that hosts it, nothing would happen to it: of a queued one, or one of a session, that is not so. */
export function needsHost({ status, session }: Pick<Summary, 'status' | 'session'>): boolean {
  return isActive(status) && status !== 'queued' && !session
}

/** A rollback that is not finished holds the tree too, whatever became of the loop. */
function holdsTree(state: State): boolean {
  if (state.tree.rollback) return true
  const { status } = standing(state)
  const active = isActive(status) && status !== 'queued'
  return !state.turn.outcome && (active || ['running', 'ended'].includes(state.work.stage))
}

/** Of a loop that still runs. */
function pending(state: State): 'pause' | 'cancel' | null {
  if (standing(state).status !== 'running') return null
  return state.turn.cancelRequested ? 'cancel' : state.turn.hold ? 'pause' : null
}

function usageProblem({ work: { run } }: State): string | null {
  return (run?.end && 'how' in run.end && run.end.usageProblem) || null
}

function criterionRow({ met, verification, verdict, why, result }: Standing): CriterionSummary {
  return { met, verification, verdict, why, evidence: result && evidence(result) }
}

function evidence(result: CriterionResult): Evidence {
  const { command, exitCode, durationMs, failing, checkpoint = null, output } = result
  return { command, exitCode, durationMs, failing, checkpoint, output: output.path }
}
