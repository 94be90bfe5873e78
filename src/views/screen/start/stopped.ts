/** Why a loop stopped, in one sentenceRows for the person at its terminal: what happened, and the one fact that matters. */
import { limitOf } from '../../../core/loop/breaker.ts'
import { knownOf } from '../../../core/loop/spent.ts'
import type { State } from '../../../core/loop/state.ts'
import type { LoopSummary } from '../../../core/loop/summary.ts'
import { oneLine, spelledOut } from '../../../core/text/plain-text.ts'
import type { Reason } from '../../../model/failure.ts'
import { count, formatMoney } from '../../../model/units.ts'
import { endedBecause } from '../../words/reasons.ts'
import { failingSum } from './failing.ts'
import { felt, money } from './pieces.ts'

type Words = (state: State, summary: LoopSummary) => string

const words: Partial<Record<Reason, Words>> = {
  cancelled: ({ work }) => `Cancelled${inIteration(work.iteration)}`,
  'iteration-limit': state =>
    `Stopped after ${count(state.work.iteration, 'iteration')} (the limit): ${failingWords(state)}`,
  stuck: state =>
    `Stopped after ${count(state.work.iteration, 'iteration')}: no progress (${failingSince(state)})`,
  'no-change': state =>
    `Stopped after ${count(state.work.iteration, 'iteration')}: ${state.work.agent} changed no file in the last ${limitOf(state.spec, 'noChange')}`,
  'same-error': state =>
    `Paused after ${count(state.work.iteration, 'iteration')}: the same error ${state.judged.sameErrorInRow} times in a row`,
  thrashing: ({ work }, { detail }) => `Paused: ${work.agent} edited ${spelledOut(detail)} in one iteration`,
  'agent-errors': (state, { detail }) =>
    `Stopped: ${state.work.agent} failed${times(state.limits.agentErrorsInRow)}${of(detail)}`,
  'promise-errors': (state, { detail }) =>
    `Paused: the check could not run${times(state.judged.promiseErrorsInRow)}${of(detail)}`,
  'promise-unrunnable': (_, { detail }) => `Stopped: the check cannot run${of(detail)}`,
  'promise-doubtful': (_, { detail }) => `Paused before any work: the check may never work${of(detail)}`,
  'budget-reached': ({ cost, spec }) =>
    `Paused: the budget is used up (${money(cost.costUsd, knownOf(cost))} of ${formatMoney(spec.budgetUsd ?? 0)})`,
  'agent-auth': ({ work }, { detail }) => `Paused: ${work.agent} is not signed in${of(detail)}`,
  'limit-too-long': (state, { detail }) =>
    `Paused: the usage limit lasts longer than --max-wait${state.spec.maxWaitMs ? ` (${felt(state.spec.maxWaitMs)})` : ''}${of(detail)}`,
  'must-not': (_, { detail }) => `Paused: forbidden${of(detail)}`,
  'protected-changed': (_, { detail }) => `Paused: protected files changed${of(spelledOut(detail))}`,
  'holdout-failed': ({ trust: { holdout } }) =>
    `Stopped: the check passes, but the hold-out fails${holdout ? ` (${holdout.why})` : ''}`,
  'agent-blocked': ({ work }, { detail }) => `Paused: ${work.agent} cannot continue${of(detail)}`,
  suspect: () => 'Paused: you have answered',
  unanswered(_, { detail, agentAsks }) {
    if (detail === '') return 'Paused: you have answered'
    return agentAsks
      ? `Paused: the agent asks: ${oneLine(detail)}`
      : `Paused: you have to confirm: ${oneLine(detail)}`
  },
  assumption: (_, { detail }) => `Paused: an assumption cannot be checked${of(detail)}`,
  'paused-by-user': ({ work }) => `Paused${work.iteration === 0 ? '' : ` after iteration ${work.iteration}`}`,
  'paused-by-agent': ({ work }) => `Paused by ${work.agent} after iteration ${work.iteration}`,
  'step-failed': (_, { detail }) => `Paused${of(detail)}`,
  survivors: (_, { detail }) => `Paused: processes of the agent cannot be killed${of(spelledOut(detail))}`,
}

export function stoppedWords(state: State, summary: LoopSummary): string {
  const { reason } = summary
  if (reason === null) return ''
  const row = words[reason]
  const text = row ? row(state, summary) : `Stopped: ${endedBecause(reason, summary)}`
  return text.replace(/\.$/, '')
}

function of(detail: string): string {
  return detail === '' ? '' : `: ${oneLine(detail)}`
}

function inIteration(iteration: number): string {
  return iteration === 0 ? '' : ` in iteration ${iteration}`
}

function times(n: number): string {
  return n < 2 ? '' : ` ${n} times in a row`
}

function failingWords({ judged: { results } }: State): string {
  const met = results.filter(({ verdict }) => verdict === 'PASS').length
  if (results.length > 1) return `${met} of ${results.length} checks pass`
  const n = failingSum(results)
  return n === null || n === 0 ? 'the check still fails' : `${n} still failing`
}

/** `7 failing since iteration 1`, of the row of iterations without progress. */
function failingSince(state: State): string {
  const n = failingSum(state.judged.results)
  const since = Math.max(0, state.work.iteration - state.judged.unmetInRow)
  const from = since === 0 ? 'the beginning' : `iteration ${since}`
  return n === null || n === 0 ? `it fails as it did at ${from}` : `${n} failing since ${from}`
}
