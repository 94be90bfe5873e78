/**
 * decide(state, now): what happens next. Judges and never records; works from state alone, so that restarting
 * is replaying and asking again. Every way a loop can stop is in this file.
 */
import type { Event, EventOf } from '../model/event.ts'
import { checkpointName } from '../model/units.ts'
import type { State } from './state.ts'

export type Step =
  | { kind: 'verify'; iteration: number }
  | { kind: 'checkpoint'; name: string; since: string | null }
  | { kind: 'prepare'; run: number; iteration: number }
  | { kind: 'attach' }
  | { kind: 'stop' }
  | { kind: 'clear' }
  | { kind: 'restore'; to: string; tree: string; keepAs: string }

export type Decision =
  | { do: 'step'; step: Step }
  | { do: 'record'; event: Event }
  | { do: 'wait'; until: number }
  | { do: 'rest' }

const rest: Decision = { do: 'rest' }
const agentErrorLimit = 3
const promiseErrorLimit = 3
export const unmetLimit = 5
export const unchangedLimit = 3

export function decide(state: State, now: number): Decision {
  if (state.unknown) return rest
  if (state.rollback) return rollback(state, state.rollback)
  if (state.outcome) return rest
  if (state.failedStep) return state.hold ? rest : hold('step-failed')
  if (state.run?.survivors.length) return state.hold ? rest : hold('survivors')
  if (state.cancelRequested) return cancel(state)
  return advance(state, now)
}

/** What is there is saved and recorded before anything of it is touched: so it can always be brought back. */
function rollback(state: State, { to, tree, keepAs }: NonNullable<State['rollback']>): Decision {
  const kept = Object.hasOwn(state.checkpoints, keepAs)
  return step(
    kept ? { kind: 'restore', to, tree, keepAs } : { kind: 'checkpoint', name: keepAs, since: null },
  )
}

function cancel(state: State): Decision {
  if (state.stage === 'running') return step({ kind: 'stop' })
  if (state.stage === 'ended') return step({ kind: 'clear' })
  return record({ kind: 'loop.cancelled', data: {} })
}

function advance(state: State, now: number): Decision {
  const { stage, iteration } = state
  switch (stage) {
    case 'baseline':
      return state.hold ? rest : step({ kind: 'verify', iteration: 0 })
    case 'initial':
      return afterBaseline(state)
    case 'boundary':
      return betweenIterations(state, now)
    case 'saved':
      return state.hold ? rest : step({ kind: 'prepare', run: state.runs + 1, iteration })
    case 'running':
      return step({ kind: 'attach' })
    case 'ended':
      return step({ kind: 'clear' })
    case 'cleared':
      return step({
        kind: 'checkpoint',
        name: checkpointName(iteration, true),
        since: state.checkpoints[checkpointName(iteration)] ?? null,
      })
    case 'settled':
      return step({ kind: 'verify', iteration })
    default:
      return stage satisfies never
  }
}

function afterBaseline(state: State): Decision {
  if (state.spec.baseline) {
    if (state.promiseErrorsInRow > 0) {
      return record({ kind: 'loop.failed', data: { reason: 'promise-unrunnable' } })
    }
    if (allPass(state)) return record({ kind: 'loop.completed', data: {} })
  }
  return state.hold ? rest : step({ kind: 'checkpoint', name: 'initial', since: null })
}

function betweenIterations(state: State, now: number): Decision {
  const { spec } = state
  if (state.iteration > 0 && allPass(state)) return record({ kind: 'loop.completed', data: {} })
  if (state.agentErrorsInRow >= agentErrorLimit) {
    return record({ kind: 'loop.crashed', data: { reason: 'agent-errors' } })
  }
  if (spec.maxIterations !== null && state.iteration >= spec.maxIterations) {
    return record({ kind: 'loop.failed', data: { reason: 'iteration-limit' } })
  }
  // Before the next two: what can not be judged says nothing about being stuck.
  if (state.promiseErrorsInRow >= promiseErrorLimit) return state.hold ? rest : hold('promise-errors')
  if (state.unmetInRow >= unmetLimit) return record({ kind: 'loop.failed', data: { reason: 'stuck' } })
  if (state.unchangedInRow >= unchangedLimit) {
    return record({ kind: 'loop.failed', data: { reason: 'no-change' } })
  }
  if (state.hold) return rest
  if (spec.budgetUsd !== null && (state.costUsd ?? 0) >= spec.budgetUsd) {
    return hold('budget-reached')
  }
  return backOff(state, now) ?? nextIteration(state)
}

/** One wait after each agent error, doubling. */
function backOff(state: State, now: number): Decision | null {
  if (state.wait) {
    return now >= state.wait.until
      ? record({ kind: 'wait.ended', data: {} })
      : { do: 'wait', until: state.wait.until }
  }
  if (state.agentErrorsInRow === 0 || state.waitedFor === state.agentErrorsInRow) return null
  const until = now + state.spec.backoffMs * 2 ** (state.agentErrorsInRow - 1)
  return record({ kind: 'wait.started', data: { for: 'agent-back-off', until } })
}

function nextIteration(state: State): Decision {
  return step({ kind: 'checkpoint', name: checkpointName(state.iteration + 1), since: null })
}

export function allPass(state: State): boolean {
  return (
    state.results.length === state.spec.criteria.length &&
    state.results.every((result, i) => {
      const wanted = state.spec.criteria[i]
      return result.name === wanted?.name && result.command === wanted.command && result.verdict === 'PASS'
    })
  )
}

function step(next: Step): Decision {
  return { do: 'step', step: next }
}

function record(event: Event): Decision {
  return { do: 'record', event }
}

function hold(reason: EventOf<'loop.held'>['data']['reason']): Decision {
  return record({ kind: 'loop.held', data: { reason } })
}
