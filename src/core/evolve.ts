/**
 * evolve(state, event): records and never judges. Total: any event after any state gives a state, so that a
 * journal can always be shown. Counting in a row is recording; what a count means is core/decide's business.
 */

import type { CriterionResult, Event, EventOf, Recorded } from '../model/event.ts'
import { eventVersion } from '../model/version.ts'
import { fewestFailing, hasProgressed, sameUnmet, unmet } from './progress.ts'
import { isAgentError, type Run, type Stage, type State } from './state.ts'

export function begin(event: Recorded): State {
  if (event.kind !== 'loop.created') throw new Error(`Internal error: a journal begins with ${event.kind}`)
  return {
    id: event.loop,
    seq: event.seq,
    createdAt: event.at,
    lastAt: event.at,
    spec: event.data.spec,
    stage: event.data.spec.baseline ? 'baseline' : 'initial',
    iteration: 0,
    run: null,
    runs: 0,
    checkpoints: {},
    changes: null,
    results: [],
    costUsd: null,
    agentErrorsInRow: 0,
    promiseErrorsInRow: 0,
    unmetInRow: 0,
    unchangedInRow: 0,
    fewestFailing: {},
    injected: [],
    rollback: null,
    rollbacks: 0,
    lastKept: null,
    wait: null,
    waitedFor: 0,
    failedStep: null,
    cancelRequested: false,
    hold: null,
    outcome: null,
    unknown: event.v > eventVersion ? `version ${event.v}` : null,
  }
}

export function fold(events: readonly Recorded[]): State {
  const [first, ...rest] = events
  if (!first) throw new Error('Internal error: an empty journal has no state')
  return rest.reduce(evolve, begin(first))
}

export function evolve(state: State, event: Recorded): State {
  const seen = { ...state, seq: event.seq, lastAt: event.at }
  if (event.v > eventVersion) return { ...seen, unknown: `version ${event.v}` }
  return { ...seen, ...change(state, event) }
}

function change(state: State, event: Event): Partial<State> {
  switch (event.kind) {
    case 'loop.created':
      return {}
    case 'promise.verified':
      return verified(state, event.data)
    case 'checkpoint.taken':
      return taken(state, event.data)
    case 'run.started':
      return {
        stage: 'running',
        runs: event.data.run,
        // One that came while the prompt was being written waits for the next.
        injected: state.injected.slice(event.data.injected ?? 0),
        run: { ...event.data, identity: null, end: null, survivors: [] },
      }
    case 'run.launched':
      return state.run ? { run: { ...state.run, identity: event.data.identity } } : {}
    case 'run.ended':
    case 'run.lost':
      return ended(state, event.data)
    case 'run.cleared':
      return { stage: 'cleared', ...forgetSurvivors(state) }
    case 'run.survived':
      return { ...(state.run && { run: { ...state.run, survivors: event.data.alive } }) }
    case 'step.failed':
      return { failedStep: event.data }
    case 'wait.started':
      return { wait: event.data }
    case 'wait.ended':
      return { wait: null, waitedFor: state.agentErrorsInRow }
    case 'loop.held':
      return { hold: event.data }
    case 'loop.resumed':
      return resumed(state, event.data)
    case 'context.injected':
      return { injected: [...state.injected, event.data.text] }
    case 'rollback.requested':
      return { rollback: event.data, rollbacks: state.rollbacks + 1 }
    case 'tree.restored':
      return restored(state)
    case 'rollback.failed':
      return { rollback: null }
    case 'cancel.requested':
      return { cancelRequested: true, hold: null, failedStep: null, ...forgetSurvivors(state) }
    case 'command.refused':
      return {}
    case 'loop.completed':
      return { outcome: { kind: 'completed' }, hold: null, wait: null }
    case 'loop.failed':
      return { outcome: { kind: 'failed', ...event.data }, wait: null }
    case 'loop.crashed':
      return { outcome: { kind: 'crashed', ...event.data }, wait: null }
    case 'loop.cancelled':
      return { outcome: { kind: 'cancelled' }, cancelRequested: false, hold: null, wait: null }
    default:
      return { unknown: (event satisfies never as Event).kind }
  }
}

function verified(state: State, data: EventOf<'promise.verified'>['data']): Partial<State> {
  const errors = data.results.some(result => result.verdict === 'ERROR')
  return {
    stage: data.iteration === 0 ? 'initial' : 'boundary',
    results: data.results,
    promiseErrorsInRow: errors ? state.promiseErrorsInRow + 1 : 0,
    fewestFailing: fewestFailing(state.fewestFailing, data.results),
    ...(data.iteration > 0 && { unmetInRow: unmetInRow(state, data.results) }),
  }
}

function unmetInRow(state: State, results: CriterionResult[]): number {
  if (unmet(results).length === 0) return 0
  const better = hasProgressed(state.results, results, state.fewestFailing)
  const other = state.unmetInRow > 0 && !sameUnmet(state.results, results)
  return better || other ? 1 : state.unmetInRow + 1
}

function taken(state: State, data: EventOf<'checkpoint.taken'>['data']): Partial<State> {
  const checkpoints = { ...state.checkpoints, [data.name]: data.tree }
  if (data.name === state.rollback?.keepAs) return { checkpoints, lastKept: data.name }
  const next: Partial<Record<Stage, Stage>> = { initial: 'boundary', boundary: 'saved', cleared: 'settled' }
  const stage = next[state.stage] ?? state.stage
  return {
    checkpoints,
    stage,
    iteration: state.stage === 'boundary' ? state.iteration + 1 : state.iteration,
    ...(stage === 'settled' && {
      changes: data.changes,
      unchangedInRow: data.changes?.files === 0 ? state.unchangedInRow + 1 : 0,
    }),
  }
}

function ended(state: State, end: NonNullable<Run['end']>): Partial<State> {
  const cost = 'costUsd' in end ? end.costUsd : null
  return {
    stage: 'ended',
    ...(state.run && { run: { ...state.run, end } }),
    costUsd: cost === null ? state.costUsd : (state.costUsd ?? 0) + cost,
    agentErrorsInRow: isAgentError(end) ? state.agentErrorsInRow + 1 : 0,
    waitedFor: isAgentError(end) ? state.waitedFor : 0,
  }
}

/** What the promise said of another tree is no longer known. */
function restored(state: State): Partial<State> {
  return {
    rollback: null,
    ...(state.outcome?.kind !== 'completed' && { results: [], changes: null }),
  }
}

function resumed(state: State, data: EventOf<'loop.resumed'>['data']): Partial<State> {
  const { maxIterations = state.spec.maxIterations, budgetUsd = state.spec.budgetUsd } = data
  return {
    spec: { ...state.spec, maxIterations, budgetUsd },
    outcome: null,
    hold: null,
    failedStep: null,
    cancelRequested: false,
    agentErrorsInRow: 0,
    waitedFor: 0,
    promiseErrorsInRow: 0,
    unmetInRow: 0,
    unchangedInRow: 0,
    ...forgetSurvivors(state),
    ...(state.outcome?.kind === 'failed' &&
      state.outcome.reason === 'promise-unrunnable' && { stage: 'baseline' as const }),
  }
}

/** Asked anew, loop looks again which processes are alive. */
function forgetSurvivors(state: State): Partial<State> {
  return state.run ? { run: { ...state.run, survivors: [] } } : {}
}
