/**
 * The status of a loop, its reason and the detail behind the reason. It is derived from state and not stored;
 * views/words/message makes the sentences.
 */
import { wantedAnswer } from '../../model/answer/wanted.ts'
import type { Reason } from '../../model/failure.ts'
import { breakerReasons } from '../../model/loop/breakers.ts'
import { standings } from './criteria.ts'
import { endWords } from './run/fault.ts'
import type { State } from './state.ts'
import type { Summary } from './summary.ts'
import { limitWords } from './usage-limit.ts'

/** The status of a loop, with its reason and detail. */
export function standing(state: State): Pick<Summary, 'status' | 'reason' | 'detail'> {
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
      return standings(state)
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
