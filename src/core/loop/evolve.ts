/**
 * evolve(state, event): records and never judges. Total: any event after any state gives a state, so that a
 * journal can always be shown. Counting in a row is recording; what a count means is core/loop/decide's business.
 */

import type { CriterionResult, EventOf, Recorded } from '../../model/loop/event.ts'
import { eventVersion } from '../../model/version.ts'
import { isTalk, talked } from './parts/human.ts'
import { afterRun, claimed, ended, started, waited } from './parts/run.ts'
import { activeUntil } from './parts/time-at-work.ts'
import { accepted, restored, taken, unsaved } from './parts/tree.ts'
import { cancelling, isRestart, isTurn, over, queued } from './parts/turn.ts'
import { countFailing, hasProgressed, sameUnmet, signatureOf, unmet } from './progress.ts'
import type { Approach, State } from './state.ts'

export function begin(event: Recorded): State {
  if (event.kind !== 'loop.created') throw new Error(`Internal error: a journal begins with ${event.kind}`)
  return {
    id: event.loop,
    seq: event.seq,
    createdAt: event.at,
    lastAt: event.at,
    epoch: event.epoch,
    activeMs: 0,
    spec: event.data.spec,
    stage: event.data.spec.baseline ? 'baseline' : 'initial',
    iteration: 0,
    run: null,
    runs: 0,
    ...unsaved,
    results: [],
    durations: {},
    mustNot: [],
    confirmed: {},
    question: null,
    declined: false,
    finalDue: false,
    costUsd: null,
    costEstimated: false,
    agent: event.data.spec.agent,
    limited: {},
    limitWaitMs: 0,
    barred: null,
    asks: null,
    sessions: {},
    agentErrorsInRow: 0,
    promiseErrorsInRow: 0,
    unmetInRow: 0,
    unchangedInRow: 0,
    sameErrorInRow: 0,
    approaches: [],
    edited: null,
    failing: {},
    injected: [],
    reported: {},
    wanted: null,
    rollback: null,
    rollbacks: 0,
    lastKept: null,
    wait: null,
    waitedFor: 0,
    failedStep: null,
    cancelRequested: false,
    hold: null,
    queuedAt: null,
    background: null,
    restarts: 0,
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
  const active = { epoch: event.epoch, activeMs: activeUntil(state, event) }
  const seen = { ...state, seq: event.seq, lastAt: event.at, ...active }
  if (event.v > eventVersion) return { ...seen, unknown: `version ${event.v}` }
  return { ...seen, ...change(state, event) }
}

function change(state: State, event: Recorded): Partial<State> {
  if (isTurn(event)) return { ...(isRestart(event) && resumed(state, {})), ...queued(state, event) }
  if (isTalk(event)) return talked(state, event)
  switch (event.kind) {
    case 'loop.created':
    case 'command.refused':
      return {}
    case 'promise.verified':
      return verified(state, event.data)
    case 'checkpoint.taken':
      return taken(state, event.data)
    case 'session.claimed':
      return claimed(state)
    case 'run.started':
      return started(state, event.data)
    case 'run.launched':
      return state.run ? { run: { ...state.run, identity: event.data.identity } } : {}
    case 'run.ended':
    case 'run.lost':
      return ended(state, event.data, event.at)
    case 'run.cleared':
      return { stage: afterRun(state), ...forgetSurvivors(state) }
    case 'agent.switched':
      return { agent: event.data.to }
    case 'run.survived':
      return { ...(state.run && { run: { ...state.run, survivors: event.data.alive } }) }
    case 'step.failed':
      return { failedStep: event.data }
    case 'wait.started':
      return { wait: { ...event.data, since: event.at } }
    case 'wait.ended':
      return waited(state, event.at)
    case 'loop.held':
      return { hold: event.data }
    case 'loop.resumed':
      return { ...resumed(state, event.data), ...accepted(state, event.data) }
    case 'checkpoint.requested':
      return { wanted: event.data.name }
    case 'checkpoint.failed':
      return { wanted: null }
    case 'rollback.requested':
      return { rollback: event.data, rollbacks: state.rollbacks + 1 }
    case 'tree.restored':
      return restored(state)
    case 'rollback.failed':
      return { rollback: null }
    case 'cancel.requested':
      return { ...cancelling, ...forgetSurvivors(state) }
    case 'loop.completed':
    case 'loop.failed':
    case 'loop.crashed':
    case 'loop.cancelled':
      return over(event)
    default:
      return { unknown: (event satisfies never as Recorded).kind }
  }
}

function verified(state: State, data: EventOf<'promise.verified'>['data']): Partial<State> {
  const { iteration, results, mustNot = [] } = data
  const errors = [...results, ...mustNot].some(result => result.verdict === 'ERROR')
  const again = state.stage === 'boundary' // asked a second time about the same tree: counts nothing twice
  return {
    stage: iteration === 0 ? 'initial' : 'boundary',
    results,
    durations: {
      ...state.durations,
      ...Object.fromEntries(results.map(({ name, durationMs }) => [name, durationMs])),
    },
    mustNot,
    reported: {},
    finalDue: false,
    promiseErrorsInRow: errors ? state.promiseErrorsInRow + 1 : 0,
    failing: countFailing(state.failing, results),
    ...(iteration > 0 && !again && failuresInRow(state, results)),
  }
}

type InRow = Pick<State, 'unmetInRow' | 'sameErrorInRow' | 'approaches'>

function failuresInRow(state: State, results: CriterionResult[]): InRow {
  if (unmet(results).length === 0) return { unmetInRow: 0, sameErrorInRow: 0, approaches: [] }
  const better = hasProgressed(state.results, results, state.failing)
  const other = state.unmetInRow > 0 && !sameUnmet(state.results, results)
  const error = signatureOf(results)
  const same = state.sameErrorInRow > 0 && error === signatureOf(state.results)
  return {
    unmetInRow: better || other ? 1 : state.unmetInRow + 1,
    sameErrorInRow: error === null ? 0 : same ? state.sameErrorInRow + 1 : 1,
    approaches: better ? [] : [...state.approaches, approach(state)].slice(-mostApproaches),
  }
}

const mostApproaches = 5

function approach({ iteration, changes, run }: State): Approach {
  const end = run?.end
  const words = (end && 'said' in end && end.said) || end?.out.tail
  const said = words?.trim().split('\n').at(-1)?.trim() ?? ''
  return { iteration, changes, said: said.slice(0, 200) }
}

function resumed(state: State, data: EventOf<'loop.resumed'>['data']): Partial<State> {
  const { maxIterations = state.spec.maxIterations, budgetUsd = state.spec.budgetUsd } = data
  const { attended = state.spec.attended } = data
  return {
    spec: { ...state.spec, maxIterations, budgetUsd, ...(attended !== undefined && { attended }) },
    outcome: null,
    hold: null,
    queuedAt: null,
    // Whoever resumes it hosts it, unless it is queued again.
    background: data.stays ? state.background : null,
    restarts: 0,
    failedStep: null,
    cancelRequested: false,
    agentErrorsInRow: 0,
    waitedFor: 0,
    promiseErrorsInRow: 0,
    unmetInRow: 0,
    unchangedInRow: 0,
    sameErrorInRow: 0,
    // Who asks to go on wants it tried now, not when the limit is over.
    limited: {},
    limitWaitMs: 0,
    barred: null,
    wait: state.wait?.for === 'usage-limit' ? null : state.wait,
    // Who resumes has seen this.
    edited: null,
    ...forgetSurvivors(state),
    ...judgedAnew(state),
  }
}

/** What stopped the loop may have been mended meanwhile: the promise is run again before anything else. */
function judgedAnew({ outcome, hold, iteration }: State): Partial<State> {
  if (outcome?.kind === 'failed' && outcome.reason === 'promise-unrunnable') return { stage: 'baseline' }
  if (outcome || hold?.reason !== 'must-not') return {}
  return { stage: iteration === 0 ? 'baseline' : 'settled' }
}

/** Asked anew, loop looks again which processes are alive. */
function forgetSurvivors(state: State): Partial<State> {
  return state.run ? { run: { ...state.run, survivors: [] } } : {}
}
