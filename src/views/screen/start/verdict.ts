/** The row of an iteration: how the check went against the one before, what changed, what it cost, what still fails. */
import { fewerTests } from '../../../core/loop/parts/doubts.ts'
import type { Suspicion } from '../../../core/loop/parts/trust.ts'
import type { State } from '../../../core/loop/state.ts'
import { spelledOut } from '../../../core/text/plain-text.ts'
import type { CriterionResult } from '../../../model/loop/event.ts'
import { cutTo } from '../../layout/width.ts'
import { ink } from '../look.ts'
import { failingSum, namedFailing, testsRun } from './failing.ts'
import { fitNames, indent, type Mark, type StartView } from './pieces.ts'

type Verdict = { mark: Mark; words: string }

/** `earlier`: the results of the check before; empty if it never ran. */
export function verdictCell(
  results: readonly CriterionResult[],
  earlier: readonly CriterionResult[],
): Verdict {
  const failed = results.filter(({ verdict }) => verdict !== 'PASS')
  const [first] = failed
  if (!first) return { mark: 'pass', words: passedWords(results) }
  const error = failed.find(({ verdict }) => verdict === 'ERROR')
  if (error) return { mark: 'error', words: error.why }
  const now = failingSum(results)
  const before = failingSum(earlier)
  if (results.length > 1) {
    const met = results.length - failed.length
    return { mark: 'fail', words: `${met} of ${results.length} checks pass` }
  }
  if (now === null || now === 0) return { mark: 'fail', words: `${still(earlier)}fails (${first.why})` }
  if (before === null || before === 0) return { mark: 'fail', words: `${now} failing` }
  return { mark: 'fail', words: now === before ? `still ${now}` : `${before} → ${now}` }
}

function still(earlier: readonly CriterionResult[]): string {
  return earlier.length > 0 ? 'still ' : ''
}

function passedWords(results: readonly CriterionResult[]): string {
  if (results.length > 1) return `all ${results.length} checks pass`
  const total = testsRun(results)
  if (total === 0) return 'passes'
  return total === 1 ? 'its test passes' : `all ${total} tests pass`
}

/** `still failing: a · b`, or what the check printed last; empty if it would only repeat `shown`. */
export function failingLines(
  results: readonly CriterionResult[],
  shown: string,
  { look, width }: StartView,
): { lines: string[]; shown: string } {
  const { names, placed, all, said } = namedFailing(results)
  const key = names.length > 0 ? names.join('\n') : said
  if (key === '' || key === shown) return { lines: [], shown: key }
  const room = width - indent.length
  const label = 'still failing: '
  const text =
    names.length > 0 ? label + fitNames(placed, room - label.length, { of: all }) : cutTo(`│ ${said}`, room)
  return { lines: [indent + ink(look, 'dim', text)], shown: key }
}

const mostFiles = 3

/** `only because test/num.js changed (171 → 0 tests)` */
export function suspicionWords({ why, files }: Pick<Suspicion, 'why' | 'files'>, state: State): string {
  const tests = testWords(state)
  const isChange = why !== 'fewer-tests' || state.trust.changed.length > 0
  if (!isChange) return `but fewer tests ran${tests === '' ? '' : ` (${tests})`}`
  const shown = files.slice(0, mostFiles).map(spelledOut)
  const rest = files.length - shown.length
  const list = rest > 0 ? `${shown.join(', ')} and ${rest} more` : listed(shown)
  const verb = why === 'tests-deleted' ? (files.length === 1 ? 'was deleted' : 'were deleted') : 'changed'
  return `but only because ${list} ${verb}${tests === '' ? '' : ` (${tests})`}`
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** `171 → 0 tests`, `2 → 5 skipped` */
function testWords({ doubts }: State): string {
  return fewerTests(doubts)
    .map(one => {
      if (one.kind === 'uncounted-tests') return `${one.baseline} tests before, now none are counted`
      return `${one.baseline} → ${one.last} ${one.kind === 'fewer-tests' ? 'tests' : 'skipped'}`
    })
    .join(', ')
}
