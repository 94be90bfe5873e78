/**
 * The last lines of a loop on a terminal: what came of it, the facts that matter, and what to type. The sentenceRows of each
 * reason is in `stopped`; the whole is views/text/receipt.
 */
import { doubtsOf } from '../../../core/loop/assess/doubts.ts'
import { suspicionOf } from '../../../core/loop/assess/second-look.ts'
import { shipOf } from '../../../core/loop/assess/ship.ts'
import type { Changed } from '../../../core/loop/parts/tree.ts'
import { knownOf } from '../../../core/loop/spent.ts'
import type { State } from '../../../core/loop/state.ts'
import { type LoopSummary, summarize } from '../../../core/loop/summary.ts'
import { safeText, spelledOut } from '../../../core/text/plain-text.ts'
import { count } from '../../../model/units.ts'
import { cutTo } from '../../layout/width.ts'
import { doubtWords } from '../../words/doubt.ts'
import { hookWords } from '../../words/hook.ts'
import { longer, longerRun, resumeWords, signIn, waysOut } from '../../words/reasons.ts'
import { ink, sign } from '../look.ts'
import { namedFailing } from './failing.ts'
import {
  changesWords,
  felt,
  fitNames,
  money,
  type NextStep,
  type StartView,
  sentenceRows,
  stepLines,
} from './pieces.ts'
import { stoppedWords } from './stopped.ts'
import { suspicionWords } from './verdict.ts'

/** `changed`: since the loop began, if known. `canReview`: there is something to look at. */
type Facts = { state: State; summary: LoopSummary; changed: Changed | null }

export function closingLines(state: State, changed: Changed | null, view: StartView): string[] {
  const summary = summarize(state)
  const facts = { state, summary, changed }
  const lines = [
    ...headOf(facts, view),
    ...(summary.status === 'completed' ? [] : failingLine(facts, view)),
    ...printedOf(facts, view),
    ...hookLine(summary, view),
    ...refusedLine(summary, view),
  ]
  return ['', ...lines, ...stepLines(stepsOf(facts), view)]
}

function headOf(facts: Facts, view: StartView): string[] {
  const { summary, state } = facts
  const { look } = view
  const line = (name: 'pass' | 'stop' | 'warn', words: string) => {
    const colour = name === 'pass' ? 'green' : name === 'warn' ? 'yellow' : 'red'
    return sentenceRows(`${sign(look, name)} ${words.trim()}`, colour, view)
  }
  if (summary.status === 'completed') {
    const doubts = objections(state)
    if (summary.iteration === 0 && doubts === '') return line('pass', alreadyWords(facts))
    return doubts === ''
      ? line('pass', `Done ${totals(facts)}. ${changesOf(facts)}${trustWords(state)}`)
      : line('warn', `Done ${totals(facts)}, but look at: ${doubts}. ${changesOf(facts)}`)
  }
  const suspicion = summary.reason === 'suspect' ? suspicionOf(state) : null
  if (suspicion)
    return line(
      'warn',
      `Tests pass, ${suspicionWords(suspicion, state)}. Not counted as done. ${spent(facts)}`,
    )
  if (summary.reason === null)
    return line('warn', `${state.work.agent} continues without this terminal. ${spent(facts)}`)
  const cost = summary.reason === 'budget-reached' ? '' : spent(facts)
  const words = stoppedWords(state, summary)
  return line('stop', `${words}${/[?!]$/.test(words) ? '' : '.'} ${cost}`)
}

function alreadyWords({ state }: Facts): string {
  const names = state.spec.criteria.map(({ name }) => name).join(', ')
  return `Nothing to do: ${names} ${state.spec.criteria.length === 1 ? 'passes' : 'pass'} already. No agent was started.`
}

/** `in 2m 41s, 3 iterations, $0.59` */
function totals({ state, summary }: Facts): string {
  const cost = money(state.cost.costUsd, knownOf(state.cost))
  const facts = [
    felt(summary.activeMs),
    count(summary.iteration, 'iteration'),
    ...(cost === '' ? [] : [cost]),
  ]
  return `in ${facts.join(', ')}`
}

/** `$1.05 spent.` */
function spent({ state }: Facts): string {
  const cost = money(state.cost.costUsd, knownOf(state.cost))
  return cost === '' || state.work.runs === 0 ? '' : `${cost} spent.`
}

function changesOf({ changed }: Facts): string {
  return changed ? `${changesWords(changed.changes, changed.paths)}. ` : ''
}

/** What was looked for and not found: said, because it is why a pass is believed. */
function trustWords({ trust, spec }: State): string {
  if (trust.allowed.length > 0)
    return `Changed as you allow: ${trust.allowed.slice(0, 3).map(spelledOut).join(', ')}.`
  const isKnown = spec.checkpoint !== 'none' && trust.product !== null
  return isKnown && trust.changed.length === 0 ? 'Tests and settings untouched.' : ''
}

/** Why a person should look at a result that passed; empty if there is no reason. */
function objections(state: State): string {
  const { verdict, against } = shipOf(state)
  if (verdict === 'SHIP') return ''
  const words = [
    ...(against.includes('hard-to-take-back')
      ? [
          `a change that is hard to undo${state.assessed.raisedBy ? ` (${spelledOut(state.assessed.raisedBy)})` : ''}`,
        ]
      : []),
    ...(against.includes('only-reviewed') ? ['no command confirms it'] : []),
    ...(against.includes('in-doubt') ? [doubtWords(doubtsOf(state))] : []),
  ]
  return words.join('; ')
}

function failingLine({ state, summary }: Facts, view: StartView): string[] {
  const asks = ['suspect', 'promise-unrunnable', 'promise-doubtful'].includes(summary.reason ?? '')
  if (asks || state.judged.results.every(({ verdict }) => verdict === 'PASS')) return []
  const { placed, all, said } = namedFailing(state.judged.results)
  const label = '  still failing: '
  const room = Math.min(view.width, 140) - label.length
  const rest = `more: loop logs ${state.id} --promise`
  if (placed.length > 0) return [ink(view.look, 'dim', label + fitNames(placed, room, { rest, of: all }))]
  return said === '' ? [] : [ink(view.look, 'dim', cutTo(`  it printed last: ${said}`, view.width))]
}

const mostPrinted = 6

/** A check that could not run: what it printed says why. */
function printedOf({ state, summary }: Facts, view: StartView): string[] {
  if (summary.reason !== 'promise-unrunnable' && summary.reason !== 'promise-errors') return []
  const lines = [...state.judged.results, ...state.judged.mustNot]
    .filter(({ verdict }) => verdict === 'ERROR')
    .flatMap(({ output }) => safeText(output.tail).trimEnd().split('\n'))
    .filter(line => line !== '')
  return lines.slice(-mostPrinted).map(line => cutTo(`  ${sign(view.look, 'bar')} ${line}`, view.width))
}

function hookLine({ hook }: LoopSummary, view: StartView): string[] {
  return hook ? sentenceRows(`  hook  ${hookWords(hook)}`, 'dim', view) : []
}

function refusedLine({ refused = {} }: LoopSummary, view: StartView): string[] {
  const hosts = Object.entries(refused).map(([host, times]) => `${host} ×${times}`)
  return hosts.length === 0
    ? []
    : sentenceRows(`  refused by the sandbox: ${hosts.join(', ')}`, 'yellow', view)
}

/** What helps first; then how to look at what was done, and to undo it. */
function stepsOf({ state, summary, changed }: Facts): NextStep[][] {
  const { id, spec } = state
  const isChanged = spec.checkpoint !== 'none' && state.work.iteration > 0 && changed?.changes.files !== 0
  const review: NextStep[] = isChanged ? [['review', `loop diff ${id}`]] : []
  const undo: NextStep[] = isChanged ? [['undo', `loop rollback ${id} initial`]] : []
  if (summary.status === 'completed') return [[...review, ...undo]]
  if (summary.reason === null) return [[['take over', `loop resume ${id}`], ...review]]
  const ways = waysOn(summary)
  return summary.reason === 'suspect' ? [[...review, ...undo], ways] : [ways, [...review, ...undo]]
}

/** What helps, by reason: a hint where it got no further, else what the reason says, else to continue. */
function waysOn(summary: LoopSummary): NextStep[] {
  const { id, reason, question } = summary
  const resume = resumeWords(summary)
  switch (reason) {
    case 'stuck':
    case 'no-change':
    case 'same-error':
    case 'thrashing':
    case 'agent-blocked':
    case 'holdout-failed':
      return [['try', `loop inject ${id} "a hint for the agent" && ${resume}`]]
    case 'suspect':
      if (question === null) return [['continue', resume]]
      return [
        ['accept', `loop answer ${id} yes && ${resume}`],
        ['reject', `loop answer ${id} "restore the tests" && ${resume}`],
      ]
    case 'unanswered':
      if (question === null) return [['continue', resume]]
      return [['answer', `loop answer ${id} ${summary.agentAsks ? '"your answer"' : 'yes'} && ${resume}`]]
    case 'cancelled':
    case 'paused-by-user':
    case 'iteration-limit':
    case 'budget-reached':
      return [['continue', resume]]
    case 'protected-changed':
      return [['accept', resume]]
    case 'must-not':
    case 'step-failed':
    case 'survivors':
      return [['once fixed', resume]]
    case 'promise-doubtful':
      return [['start anyway', resume]]
    case 'promise-errors':
      return [['retry', `${resume}${longer(summary, 'verify-timeout')}`]]
    case 'promise-unrunnable': {
      const more = longer(summary, 'verify-timeout')
      return more === '' ? [] : [['retry', `${resume}${more}`]]
    }
    case 'agent-errors':
      return [
        ['read', `loop logs ${id}`],
        ['retry', `${resume}${longerRun(summary)}`],
      ]
    case 'agent-auth':
      return [
        ['sign in', signIn(summary.agent)],
        ['then', resume],
      ]
    case 'limit-too-long':
      return [['once it is over', resume]]
    default:
      return waysOut(summary).map((way): NextStep => ['next', way])
  }
}
