/**
 * The final summary of a loop: what was verified and how, what it cost, and what to type next. It says "complete"
 * only if the journal does.
 */
import { doubtsOf } from '../../core/loop/assess/doubts.ts'
import { secondLook } from '../../core/loop/assess/second-look.ts'
import { shipOf } from '../../core/loop/assess/ship.ts'
import { type CriterionState, criterionStates } from '../../core/loop/criteria.ts'
import type { Changed } from '../../core/loop/parts/tree.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { safeLine, safeText, spelledOut } from '../../core/text/plain-text.ts'
import type { Ship } from '../../model/loop/assessment.ts'
import { checkpointName } from '../../model/units.ts'
import { clipStart } from '../layout/columns.ts'
import { doubtWords } from '../words/doubt.ts'
import { hookLines } from '../words/hook.ts'
import { cost, formatChanges, nextSteps, promiseLines, reasonWords, verdictLine } from '../words/message.ts'
import { refusedLines, sandboxWords } from '../words/sandbox.ts'
import { timeWords } from './status.ts'

const lights = { SHIP: '🟢', MONITOR: '🟡', RESEARCH: '🔴' } as const

/** The box at the end of a loop: the ship verdict (core/loop/assess/ship) with its facts. */
export function verdictBox(state: State): string[] {
  const criteria = criterionStates(state)
  const doubts = doubtsOf(state)
  const { verdict } = shipOf(state)
  const met = criteria.filter(standing => standing.met)
  const verified = [...new Set(met.map(({ verification }) => verification))].join(', ') || 'nothing'
  return box(verdict, [
    `Verified: ${verified}`,
    `Tasks: ${met.length}/${criteria.length} complete`,
    `Subjective: ~– · Type ${state.assessed.reversibility} · ${criteria.length}pt`,
    ...(doubts.length > 0 ? [`Look at: ${safeLine(doubtWords(doubts))}`] : []),
  ])
}

/** The light is two columns wide. */
export function box(verdict: Ship['verdict'], lines: string[]): string[] {
  const title = `${lights[verdict]} ${verdict}`
  const width = Math.max(36, ...lines.map(line => line.length + 2))
  return [
    `╭─ ${title} ${'─'.repeat(width - title.length - 3)}╮`,
    ...lines.map(line => `│ ${line.padEnd(width - 2)} │`),
    `╰${'─'.repeat(width)}╯`,
  ]
}

/** `changed`: the changes of the work tree since the loop began, if known. */
export function receipt(state: State, now: number, changed: Changed | null = null): string[] {
  const summary = summarize(state)
  const words = reasonWords(summary, now) || 'its agent goes on without this program'
  const head = `Loop ${state.id} ${summary.status}: ${words.replace(/\.$/, '')}.`
  const max = summary.maxIterations === null ? '' : ` of ${summary.maxIterations}`
  const lines = [
    ...(summary.status === 'completed' ? [...complete(state), ...verdictBox(state), ''] : []),
    head,
    ...criterionStates(state).map(criterionLine),
    ...(summary.status === 'completed' ? checkedLines(state) : []),
    ...(changed ? [`  changes     ${changedWords(changed)}`] : []),
    ...promiseLines(summary),
    `  iterations  ${summary.iteration}${max}`,
    `  time        ${timeWords({ summary, orphaned: false }, now)}`,
    `  cost        ${cost(summary)}`,
    ...(summary.session ? [] : [`  sandbox     ${sandboxWords(summary.sandbox)}`]),
    ...refusedLines(summary),
    ...hookLines(summary),
  ]
  if (summary.reason === 'promise-unrunnable' || summary.reason === 'promise-errors')
    lines.push(...output(state))
  const steps = [...new Set([...nextSteps(summary), ...waysToLook(state, changed)])]
  lines.push(...steps.map(step => `  next        ${step}`))
  const failed = ['failed', 'crashed', 'cancelled'].includes(summary.status)
  if (failed) lines.push('', ...verdictBox(state))
  return lines.map(safeLine)
}

/** The closing lines in the form that other tools read; empty before the end. */
export function closing(state: State): string[] {
  const { status } = summarize(state)
  if (status === 'completed') return [...complete(state), ...verdictBox(state)]
  return ['failed', 'crashed', 'cancelled'].includes(status) ? verdictBox(state) : []
}

const mostPaths = 5
const longestPath = 100

/** `+8 -3 (2 files) since the loop began: src/cart.js, test/cart.js` */
function changedWords({ changes, paths }: Changed): string {
  if (changes.files === 0) return 'none since the loop began'
  const shown = paths.slice(0, mostPaths).map(path => clipStart(spelledOut(path), longestPath))
  const rest = changes.files - shown.length
  const names = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  return `${formatChanges(changes)} since the loop began: ${names}`
}

/** How to see the changes, and how to undo them. */
function waysToLook({ id, work, tree }: State, changed: Changed | null): string[] {
  if (!changed || changed.changes.files === 0) return []
  const isCut = tree.checkpoints?.name === checkpointName(work.iteration) && work.iteration > 0
  const note = isCut ? ` (without iteration ${work.iteration}, which was cut short)` : ''
  return [`loop diff ${id}${note}`, `loop rollback ${id} initial`]
}

function complete(state: State): string[] {
  return [
    '<loop-complete>',
    'All success criteria satisfied:',
    ...criterionStates(state).map(({ name }) => `- ${name}: ✓`),
    '</loop-complete>',
    '',
  ]
}

function criterionLine({ name, result, why }: CriterionState): string {
  return result ? `  promise     ${verdictLine(result)}, run by loop itself` : `  promise     ${name}: ${why}`
}

/** What a second run in a clean copy has shown, and what `--allow` let through. */
function checkedLines(state: State): string[] {
  const { looks, allowed } = state.trust
  const seen = looks.length > 0 ? secondLook(state) : null
  const error = looks.findLast(({ verdict }) => verdict !== 'PASS')?.why ?? ''
  const is = seen && 'is' in seen ? seen.is : null
  return [
    ...(is === 'verified' ? ['  checked     verified in a clean copy, tests and settings as they were'] : []),
    ...(is === 'unclean' ? [`  checked     not verified in a clean copy: ${error}`] : []),
    ...(allowed.length > 0 ? [`  allowed     ${allowed.map(spelledOut).join(', ')} (--allow)`] : []),
  ]
}

function output(state: State): string[] {
  return [...state.judged.results, ...state.judged.mustNot]
    .filter(result => result.verdict === 'ERROR')
    .map(result => safeText(result.output.tail).trimEnd())
    .flatMap(text => (text === '' ? [] : text.split('\n')))
    .map(line => `  │ ${line}`)
}
