/**
 * The closing summary of a loop: what was verified and how, what it took, and what to type next.
 * Says "complete" only for a loop whose journal says so.
 */
import { type Standing, standings } from '../../core/loop/criteria.ts'
import { type State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { cost, nextSteps, promiseLines, reasonWords, verdictLine } from '../words/message.ts'
import { safeLine, safeText } from './plain-text.ts'
import { timeWords } from './status.ts'
import { verdictBox } from './verdict-box.ts'

export function receipt(state: State, now: number): string[] {
  const summary = summarize(state)
  const words = reasonWords(summary, now) || 'its agent goes on without this program'
  const head = `Loop ${state.id} ${summary.status}: ${words.replace(/\.$/, '')}.`
  const max = summary.maxIterations === null ? '' : ` of ${summary.maxIterations}`
  const lines = [
    ...(summary.status === 'completed' ? [...complete(state), ...verdictBox(state), ''] : []),
    head,
    ...standings(state).map(criterionLine),
    ...promiseLines(summary),
    `  iterations  ${summary.iteration}${max}`,
    `  time        ${timeWords({ summary, orphaned: false }, now)}`,
    `  cost        ${cost(summary)}`,
  ]
  if (summary.reason === 'promise-unrunnable' || summary.reason === 'promise-errors')
    lines.push(...output(state))
  lines.push(...nextSteps(summary).map(step => `  next        ${step}`))
  // A promise that can not run is a refusal: no work has been done that could be shipped.
  const failed = ['failed', 'crashed', 'cancelled'].includes(summary.status)
  if (failed && summary.reason !== 'promise-unrunnable') lines.push('', ...verdictBox(state))
  return lines.map(safeLine)
}

function complete(state: State): string[] {
  return [
    '<loop-complete>',
    'All success criteria satisfied:',
    ...standings(state).map(({ name }) => `- ${name}: ✓`),
    '</loop-complete>',
    '',
  ]
}

function criterionLine({ name, result, why }: Standing): string {
  return result ? `  promise     ${verdictLine(result)}, run by loop itself` : `  promise     ${name}: ${why}`
}

function output(state: State): string[] {
  return [...state.judged.results, ...state.judged.mustNot]
    .filter(result => result.verdict === 'ERROR')
    .flatMap(result => safeText(result.output.tail).trimEnd().split('\n'))
    .map(line => `  │ ${line}`)
}
