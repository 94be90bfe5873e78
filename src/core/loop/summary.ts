/**
 * The one derived row per loop: what `status` and `list` need, so that they fold no journal.
 * Status is derived here and nowhere else. Written in the append's transaction; can be rebuilt at any time.
 */

import type { Reason } from '../../model/failure.ts'
import type { CriterionResult, Verdict } from '../../model/loop/event.ts'
import type { Verification } from '../../model/loop/spec.ts'
import { type Head, headShape } from '../head.ts'
import { type Breaker, breakers } from './breaker.ts'
import { type Standing, standings } from './criteria.ts'
import type { Changed } from './parts/tree.ts'
import type { State } from './state.ts'

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
  /** Why what the last run wrote of its usage can not be used. Older rows have none. */
  usageProblem?: string | null
  budgetUsd: number | null
  prompt: string
  promise: string
  agent: string
  /** How long it has been at work, and since when it is again; null while it rests. Older rows have neither. */
  activeMs?: number
  activeSince?: number | null
  /** What was asked for and takes effect later. Older rows have none. */
  pending?: 'pause' | 'cancel' | null
  waitUntil: number | null
  waitFor: 'agent-back-off' | 'usage-limit' | null
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
  /** What the promise itself changed when it was last run. Older rows have none. */
  byPromise?: Changed | null
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

export function summarize(state: State): Summary {
  const { spec, work, cost, turn } = state
  const { wait } = state.limits
  const { question } = state.human
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
    usageProblem: usageProblem(state),
    budgetUsd: spec.budgetUsd,
    prompt: spec.prompt.length > 400 ? `${spec.prompt.slice(0, 399)}…` : spec.prompt,
    promise: spec.criteria.flatMap(({ command }) => command ?? []).join(' && '),
    agent: work.agent,
    cwd: spec.cwd,
    createdAt: state.createdAt,
    endedAt: turn.outcome ? state.lastAt : null,
    activeMs: state.activeMs,
    activeSince: standing(state).status === 'running' ? state.lastAt : null,
    pending: pending(state),
    waitUntil: wait?.until ?? null,
    waitFor: wait?.for ?? null,
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
  }
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

/** Where a loop stands, and why. */
export function standing(state: State): Pick<Summary, 'status' | 'reason' | 'detail'> {
  const { outcome, hold, queuedAt } = state.turn
  const { question } = state.human
  if (state.unknown) return { status: 'paused', reason: 'newer-journal', detail: state.unknown }
  switch (outcome?.kind) {
    case 'completed':
      return { status: 'completed', reason: 'completed', detail: '' }
    case 'cancelled':
      return { status: 'cancelled', reason: 'cancelled', detail: '' }
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

/** A pause takes effect at the end of the iteration; a failed step or survivors stop it where it is. */
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
      return forbidden ? `what must not be (${forbidden.name}), ${forbidden.command}: ${forbidden.why}` : ''
    }
    case 'agent-errors':
      return agentEnd(state)
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
    case 'unanswered':
      return state.human.question?.criterion ?? ''
    case 'assumption':
      return standings(state)
        .filter(({ verification }) => verification === 'assumption')
        .map(({ name }) => name)
        .join(', ')
    case 'survivors':
      return (state.work.run?.survivors ?? [])
        .map(process => `${process.pid} (${process.command})`)
        .join(', ')
    default:
      return ''
  }
}

function touchedWords({ tree }: State, path: string): string {
  return tree.touchedByPromise.includes(path) ? `${path} (by the promise, not by the agent)` : path
}

function waitDetail(state: State): string {
  return state.limits.wait?.for === 'usage-limit' ? limitWords(state) : agentEnd(state)
}

/** `codex: You've hit your usage limit`, for each agent that is at one. */
function limitWords({ limits }: State): string {
  return Object.entries(limits.limited)
    .map(([agent, limit]) => `${agent}: ${limit.why}`)
    .join('; ')
}

function agentEnd(state: State): string {
  const end = state.work.run?.end
  if (!end) return ''
  if (!('how' in end)) return end.why
  if (end.failed !== undefined) return end.failed
  return end.exitCode === null ? end.how : `${end.how}, exit ${end.exitCode}`
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
