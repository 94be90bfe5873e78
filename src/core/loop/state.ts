/**
 * What is known about a loop: the fold of its journal, and nothing else.
 * `stage` says how far the current iteration has come:
 *
 *   baseline ─▶ initial ─▶ boundary ─▶ saved ─▶ running ─▶ ended ─▶ cleared ─▶ settled ─┐
 *                             ▲                                                          │ verified
 *                             └──────────────────────────────────────────────────────────┘
 *
 * A run that met a usage limit, or that was not allowed to use its model, leads from ended back to saved: the
 * same iteration is run again.
 *
 * Status is derived from it (core/loop/summary), never stored here.
 */
import type { AgentName } from '../../model/agent.ts'
import type { Artifact, Changes, CriterionResult, EventOf, Process } from '../../model/loop/event.ts'
import type { Priority, Spec } from '../../model/loop/spec.ts'
import type { RunIdentity } from '../../model/run.ts'
import type { CheckpointList } from './parts/checkpoints.ts'
import type { Changed } from './parts/tree.ts'
import type { Failing } from './progress.ts'
import type { SessionTotals } from './run-report.ts'
import type { Limited } from './usage-limit.ts'

export type Stage =
  | 'baseline' // the promise has not been run yet
  | 'initial' // the tree has not been saved yet
  | 'boundary' // between iterations
  | 'saved' // iter-N is taken, the agent may run
  | 'running' // run.started is recorded; the run may or may not be launched
  | 'ended' // the agent ended; some of its processes may be alive
  | 'cleared' // nothing of the run is alive
  | 'settled' // what the iteration left is saved; it may be verified

export type Run = {
  run: number
  iteration: number
  dir: string
  boot: string
  prompt: Artifact
  session?: string | undefined
  /** Null until the run is known to be launched. */
  identity: RunIdentity | null
  end: EventOf<'run.ended'>['data'] | EventOf<'run.lost'>['data'] | null
  survivors: Process[]
}

type Outcome =
  | { kind: 'completed' }
  | { kind: 'failed'; reason: EventOf<'loop.failed'>['data']['reason'] }
  | { kind: 'crashed'; reason: EventOf<'loop.crashed'>['data']['reason'] }
  | { kind: 'cancelled' }

/** What an iteration did that did not help: its changes, and the last thing its agent said. */
export type Approach = { iteration: number; changes: Changes | null; said: string }

type Hold = EventOf<'loop.held'>['data']

export type State = {
  id: string
  seq: number
  createdAt: number
  /** Time of the newest event; with an outcome, when the loop ended. */
  lastAt: number
  /** The lease under which the newest event was written. */
  epoch: number
  /** How long it has been at work until the newest event: without its rests. */
  activeMs: number
  spec: Spec
  stage: Stage
  iteration: number
  run: Run | null
  runs: number
  checkpoints: CheckpointList | null
  /** What the newest finished iteration changed, and some of those files by name. */
  changes: Changes | null
  paths: string[]
  results: CriterionResult[]
  /** How long each command took when it was last run. */
  durations: Record<string, number>
  /** What was found of the forbidden things when the promise was last run. */
  mustNot: CriterionResult[]
  /** Criteria that a human has said are met in the tree as it is → by whom. */
  confirmed: Record<string, string>
  /** What a human is asked just now. */
  question: EventOf<'question.asked'>['data'] | null
  /** A human has said no since the last run of the agent. */
  declined: boolean
  /** A human has said yes, or changed the tree, since the promise was last run: it is run once more. */
  finalDue: boolean
  costUsd: number | null
  /** Some of the cost was worked out from tokens and a price list. */
  costEstimated: boolean
  /** The agent that runs, or ran last: one of the chain of the spec. */
  agent: AgentName
  /** Agents whose last run met a usage limit. */
  limited: Partial<Record<AgentName, Limited>>
  /** All waits for usage limits so far, since somebody last asked to go on. */
  limitWaitMs: number
  /** What the agent asks, and nobody has answered yet. */
  asks: string | null
  /** The agent may not use its model: why, in its words. */
  barred: string | null
  /** The session each agent was last in. */
  sessions: Partial<Record<AgentName, SessionTotals>>
  agentErrorsInRow: number
  promiseErrorsInRow: number
  /** Iterations in a row with the same criteria unmet and nothing better; the first failing one counts 1. */
  unmetInRow: number
  /** Iterations in a row that changed no file; not counted where changes are not known. */
  unchangedInRow: number
  /** Iterations in a row whose failure comes down to the same error. */
  sameErrorInRow: number
  /** What the last iteration that failed tried, and those before it, newest last; since the last progress. */
  approaches: Approach[]
  /** The file the last run edited most often, where the agent says so. */
  edited: { path: string; times: number } | null
  /** Protected files that are not as they are in the reference, and which of them the promise has changed. */
  touched: string[]
  touchedByPromise: string[]
  /** The tree that protected files are compared with; null: the next one that is saved. */
  reference: string | null
  /** The tree as it was saved before the promise ran, until it is known what the promise has changed in it. */
  left: string | null
  /** What the promise changed when it was last run, where that is known. */
  byPromise: Changed | null
  /** The failing tests so far, by criterion. */
  failing: Record<string, Failing>
  /** What the next prompt has to say besides; each text once. */
  injected: string[]
  /** What an agent says about criteria, since loop looked last: shown beside them, and deciding nothing. */
  reported: Record<string, EventOf<'criterion.reported'>['data']>
  /** The name of a checkpoint that was asked for and is not taken yet. */
  wanted: string | null
  /** A rollback that was asked for and is not done yet. */
  rollback: EventOf<'rollback.requested'>['data'] | null
  rollbacks: number
  /** The name of what was there before the last rollback. */
  lastKept: string | null
  wait: (EventOf<'wait.started'>['data'] & { since: number }) | null
  /** The last wait that ended belongs to this many agent errors: one wait per error. */
  waitedFor: number
  failedStep: EventOf<'step.failed'>['data'] | null
  cancelRequested: boolean
  hold: Hold | null
  /** Since when it waits for its turn; null when it does not. */
  queuedAt: number | null
  /** A loop of the background, with its priority: loopd takes it up wherever it was left. */
  background: Priority | null
  /** How often loopd has started it again since a person last asked for it. */
  restarts: number
  outcome: Outcome | null
  /** An event of a kind or version this program does not know: shown, never driven. */
  unknown: string | null
}

/** Did the run count as an agent error: could not start, was killed, timed out, was lost, failed by its own word? */
export function isAgentError(end: NonNullable<Run['end']>): boolean {
  if (!('how' in end)) return true
  if (wasRefused(end)) return false
  return end.failed !== undefined || !['exited', 'stopped', 'lingered'].includes(end.how)
}

/** Did the run get no work done because the agent was not let: by a usage limit, or for want of a key? */
export function wasRefused(end: NonNullable<Run['end']>): boolean {
  return 'how' in end && end.how !== 'stopped' && (end.limit !== undefined || end.auth !== undefined)
}
