/**
 * The summary of a loop: one derived row with everything that `status` and `list` need, so that they fold no
 * journal. It is written in the append's transaction and can be rebuilt at any time. Its status is derived here too.
 */
import { wantedAnswer } from '../../model/answer.ts'
import type { Reason } from '../../model/failure.ts'
import type { Assessment, Ship } from '../../model/loop/assessment.ts'
import { breakerReasons } from '../../model/loop/breakers.ts'
import type { CriterionResult, EventOf, Verdict } from '../../model/loop/event.ts'
import type { HookKind, Sandbox, Verification } from '../../model/loop/spec.ts'
import { type Head, headShape } from '../head.ts'
import { type Doubt, doubtsOf } from './assess/doubts.ts'
import { suspicionOf } from './assess/second-look.ts'
import { type Breaker, breakers } from './breaker.ts'
import { type CriterionState, criterionStates, judgedBy } from './criteria.ts'
import { endWords, type TimeLimits, timedOut } from './fault.ts'
import { dueHook, hasHookLeft } from './parts/hook.ts'
import { failsAlike } from './parts/limits.ts'
import type { Changed } from './parts/tree.ts'
import type { Suspicion } from './parts/trust.ts'
import { isIncomplete } from './spent.ts'
import type { State } from './state.ts'
import { type LimitedAgent, limitedAgents, limitWords } from './usage-limit.ts'

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

export type LoopSummary = Head & LoopBody & { kind: 'loop' }

export type LoopBody = {
  /** Why the last run's usage report cannot be used. */
  usageProblem: string | null
  /** All agents that have run. */
  ran: string[]
  /** `usage-limit` includes overload and no network: `limited` tells which. */
  waitFor: 'agent-back-off' | 'usage-limit' | null
  /** The agents that cannot reach their models for a while. */
  limited: LimitedAgent[]
  /** The number of restarts of a background loop. */
  restarts: number
  /** Its agent failed at once each time, in the same way: loopd does not restart it. */
  sameFailure: boolean
  /** The question comes from the agent. */
  agentAsks: boolean
  criteria: Record<string, CriterionSummary>
  breakers: Breaker[]
  /** The changes made by the promise itself in its newest run, if known. */
  byPromise: Changed | null
  /** The reasons why the promise may have passed without the work. */
  doubts: Doubt[]
  /** What its verdict is suspected of, until a person accepts it. */
  suspect: Pick<Suspicion, 'why' | 'files'> | null
  /** The hook that ran, runs or is to run after the end. */
  hook: HookSummary | null
  /** The sandbox of its agent, if one was requested. */
  sandbox?: Sandbox
  /** The hosts that it refused, and how often. Absent if there are none. */
  refused?: Record<string, number>
  /** The time limits that were run into, by their flags, in ms. */
  timedOut: TimeLimits
  assessed: Assessment
  /** The ship verdict of its end. */
  ship: Ship | null
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
] as const satisfies (keyof Head)[]

/** The fields that a table row needs; of the prompt at least the first words. */
export type Brief = Pick<Head, (typeof briefFields)[number] | 'cwd' | 'prompt'>

export type CriterionSummary = {
  met: boolean
  verification: Verification
  verdict: Verdict | null
  why: string
  evidence: Evidence | null
}

/** The evidence for a verdict; the output is in a file below the loop's directory. */
type Evidence = {
  command: string
  exitCode: number | null
  durationMs: number
  failing: number | null
  checkpoint: string | null
  output: string
}

/** `how`: how it ended; null before its end. */
export type HookSummary = {
  on: HookKind
  command: string
  how: EventOf<'hook.ended'>['data']['how'] | null
  why: string
  exitCode: number | null
  durationMs: number | null
  output: string | null
}

export function summarize(state: State): LoopSummary {
  const { spec, work, cost, turn } = state
  const { wait } = state.limits
  const { question } = state.human
  const wanted = wantedAnswer(spec)
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
    costIncomplete: isIncomplete(cost),
    usageProblem: usageProblem(state),
    budgetUsd: spec.budgetUsd,
    prompt: spec.prompt.length > 400 ? `${spec.prompt.slice(0, 399)}…` : spec.prompt,
    promise: spec.criteria.flatMap(one => judgedBy(one) ?? []).join(' && '),
    ...(wanted && { answers: wanted.schema }),
    agent: work.agent,
    ran: work.ran,
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
    sameFailure: failsAlike(state.limits),
    ...(spec.session && { session: true }),
    ...(spec.sandbox && { sandbox: spec.sandbox }),
    ...(Object.keys(state.refused.hosts).length > 0 && { refused: state.refused.hosts }),
    question: question?.criterion ?? null,
    agentAsks: question?.agent === true,
    holdsTree: holdsTree(state),
    criteria: Object.fromEntries(criterionStates(state).map(row => [row.name, criterionRow(row)])),
    breakers: breakers(state),
    byPromise: state.tree.byPromise,
    doubts: doubtsOf(state),
    suspect: suspicionOf(state),
    timedOut: timedOut(state),
    ...(hasHookLeft(state) && { unfinished: true }),
    hook: hookRow(state),
    outcomeAt: turn.endedAt,
    rolledBackTo: state.tree.restoredTo,
    assessed: assessmentOf(state),
    ship: turn.ship,
  }
}

function assessmentOf({ assessed: { shape, score, workflow, reversibility } }: State): Assessment {
  return { shape, ...(score !== undefined && { score }), workflow, reversibility }
}

/** The hook of this end; before an end, the hook of the previous one. */
function hookRow(state: State): HookSummary | null {
  const { open, ended } = state.hook
  const begun = open ?? dueHook(state)
  if (begun) {
    const { on, command } = begun
    const why = open ? 'it runs' : 'not run yet'
    return { on, command, how: null, why, exitCode: null, durationMs: null, output: null }
  }
  if (!ended) return null
  const { on, command, how, why, exitCode, durationMs, output } = ended
  return { on, command, how, why, exitCode, durationMs, output: output?.path ?? null }
}

/** Tells whether the promise has run after an iteration; the baseline does not count. */
export function hasJudged({ work: { iteration, stage } }: State): boolean {
  return iteration > 1 || (iteration === 1 && stage === 'boundary')
}

/** Open: the loop has not ended. */
export function isOpen(status: Status): boolean {
  return isActive(status) || status === 'paused'
}

/** Active: loop can start an agent in the work tree without another command. */
export function isActive(status: Status): boolean {
  return status === 'queued' || status === 'running' || status === 'waiting'
}

/** Tells whether a loop makes no progress without a host process. A queued loop and a session loop need none. */
export function needsHost({ status, session }: Pick<Brief, 'status' | 'session'>): boolean {
  return isActive(status) && status !== 'queued' && !session
}

/** An unfinished rollback holds the tree too, whatever the outcome of the loop. */
function holdsTree(state: State): boolean {
  if (state.tree.rollback) return true
  // A question reads a copy that is discarded.
  if (wantedAnswer(state.spec)) return false
  const { status } = standing(state)
  const active = isActive(status) && status !== 'queued'
  return !state.turn.outcome && (active || ['running', 'ended'].includes(state.work.stage))
}

/** The pending command of a running loop. */
function pending(state: State): 'pause' | 'cancel' | null {
  if (standing(state).status !== 'running') return null
  return state.turn.cancelRequested ? 'cancel' : state.turn.hold ? 'pause' : null
}

function usageProblem({ work: { run } }: State): string | null {
  return (run?.end && 'how' in run.end && run.end.usageProblem) || null
}

function criterionRow({ met, verification, verdict, why, result }: CriterionState): CriterionSummary {
  return { met, verification, verdict, why, evidence: result && evidence(result) }
}

function evidence(result: CriterionResult): Evidence {
  const { command, exitCode, durationMs, failing, checkpoint = null, output } = result
  return { command, exitCode, durationMs, failing, checkpoint, output: output.path }
}

/**
 * The status of a loop, its reason and the detail behind the reason. It is derived from state and not stored;
 * views/words/message makes the sentences.
 */

/** The status of a loop, with its reason and detail. */
export function standing(state: State): Pick<Head, 'status' | 'reason' | 'detail'> {
  const { outcome, hold, queuedAt } = state.turn
  const { question } = state.human
  if (state.unknown) return { status: 'paused', reason: 'newer-journal', detail: state.unknown }
  switch (outcome?.kind) {
    case 'completed':
      return { status: 'completed', reason: wantedAnswer(state.spec) ? 'answered' : 'completed', detail: '' }
    case 'cancelled':
      return { status: 'cancelled', reason: 'cancelled', detail: outcome.by ? 'inside a session' : '' }
    case 'failed':
    case 'crashed':
      return { status: outcome.kind, reason: outcome.reason, detail: detail(state, outcome.reason) }
    case undefined:
      break
    default:
      return outcome satisfies never
  }
  if (hold && !inIteration(state)) {
    return { status: 'paused', reason: hold.reason, detail: detail(state, hold.reason) }
  }
  if (queuedAt !== null) return { status: 'queued', reason: null, detail: '' }
  if (question) return { status: 'waiting', reason: null, detail: question.criterion }
  if (state.limits.wait) return { status: 'waiting', reason: null, detail: waitDetail(state) }
  return { status: 'running', reason: null, detail: '' }
}

/** A pause takes effect at the end of the iteration; a failed step or surviving processes stop the loop at once. */
function inIteration({ turn, work }: State): boolean {
  const stopped = turn.failedStep !== null || (work.run?.survivors.length ?? 0) > 0
  return !stopped && ['running', 'ended', 'cleared', 'settled'].includes(work.stage)
}

function detail(state: State, reason: Reason): string {
  const { results, mustNot, edited } = state.judged
  const { failedStep } = state.turn
  switch (reason) {
    case 'promise-unrunnable':
    case 'promise-errors': {
      const error = results.find(result => result.verdict === 'ERROR')
      if (error) return `${error.command}: ${error.why}`
      const forbidden = mustNot.find(result => result.verdict === 'ERROR')
      return forbidden
        ? `what must not happen (${forbidden.name}), ${forbidden.command}: ${forbidden.why}`
        : ''
    }
    case 'promise-doubtful':
      return state.judged.doubt ?? ''
    case 'agent-errors':
      return endWords(state)
    case 'agent-auth':
      return state.limits.barred ?? ''
    case 'limit-too-long':
      return limitWords(state)
    case 'step-failed':
      return failedStep ? `${failedStep.step}: ${failedStep.why}` : ''
    case 'must-not':
      return mustNot
        .filter(({ verdict }) => verdict === 'PASS')
        .map(({ name, command }) => `${name} (${command})`)
        .join(', ')
    case 'protected-changed':
      return state.tree.touched.map(path => touchedWords(state, path)).join(', ')
    case 'thrashing':
      return edited ? `${edited.path} ${edited.times} times` : ''
    case 'holdout-failed':
      return state.trust.holdout ? `${state.trust.holdout.verdict}, ${state.trust.holdout.why}` : ''
    case 'agent-blocked':
      return state.human.blocked ?? ''
    case 'suspect':
    case 'unanswered':
      return state.human.question?.criterion ?? ''
    case 'assumption':
      return criterionStates(state)
        .filter(({ verification }) => verification === 'assumption')
        .map(({ name }) => name)
        .join(', ')
    case 'survivors':
      return (state.work.run?.survivors ?? [])
        .map(process => `${process.pid} (${process.command})`)
        .join(', ')
    default:
      return isGivingUp(reason) && state.limits.agentErrorsInRow > 0 ? endWords(state) : ''
  }
}

function isGivingUp(reason: Reason): boolean {
  return ['iteration-limit', ...breakerReasons('fail')].includes(reason)
}

function touchedWords({ tree }: State, path: string): string {
  return tree.touchedByPromise.includes(path) ? `${path} (by the promise, not by the agent)` : path
}

function waitDetail(state: State): string {
  return state.limits.wait?.for === 'usage-limit' ? limitWords(state) : endWords(state)
}
