/**
 * The reasons to look at a result before shipping it although its promise passed: in the final box, and for a later
 * reader.
 */
import type { Doubt } from '../../core/loop/assess/doubts.ts'
import { spelledOut } from '../../core/text/plain-text.ts'
import { count } from '../../model/units.ts'

/** `the repository /a/.git is gone; fewer tests (3 → 1)` */
export function doubtWords(doubts: readonly Doubt[]): string {
  return doubts.map(wordsOf).join('; ')
}

function wordsOf(doubt: Doubt): string {
  switch (doubt.kind) {
    case 'repository-gone':
      return `the repository ${doubt.dir} is gone`
    case 'head-moved': {
      const { from, to } = doubt
      if (from.branch !== to.branch) return `HEAD moved from ${placeOf(from)} to ${placeOf(to)}`
      return `HEAD moved (${from.commit?.slice(0, 7) ?? '–'} → ${to.commit?.slice(0, 7) ?? '–'})`
    }
    case 'fewer-tests':
      return `fewer tests (${doubt.baseline} → ${doubt.last})`
    case 'skipped-tests':
      return `more tests are left out (${doubt.baseline} → ${doubt.last})`
    case 'uncounted-tests':
      return `the runner no longer prints how many tests it ran (${doubt.baseline} before)`
    case 'steered':
      return namedWords(steered[doubt.how], doubt.files)
    default:
      return doubt satisfies never
  }
}

function namedWords(words: string, files: readonly string[]): string {
  return files.length > 0 ? `${words}: ${namesOf(files)}` : words
}

function namesOf(files: readonly string[]): string {
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : ''
  return `${files.slice(0, mostNamed).map(spelledOut).join(', ')}${more}`
}

const mostNamed = 40

export function fewNames(files: readonly { path: string }[]): string {
  return namesOf(files.map(({ path }) => path))
}

/** `12 tests, none of them reads cart.js: the promise can pass whatever stands there` */
export function unreadWords(
  results: readonly { total?: number | undefined }[],
  files: readonly string[],
): string {
  const total = results.reduce((sum, { total: found = 0 }) => sum + found, 0)
  const tests = total > 0 ? `${count(total, 'test')}, none of them reads` : 'no test of the promise reads'
  return `${tests} ${namesOf(files)}: the promise can pass whatever stands there`
}

/** What a second look came to; `why`: what made it look. */
export function lookedWords(is: keyof typeof steered, files: readonly string[], why?: string): string {
  return namedWords(is === 'suspect' && why === 'fewer-tests' ? fewerTests : steered[is], files)
}

const fewerTests = 'suspect, fewer tests are run than before any agent came, or more are left out'

/** What a second look came to. */
export const steered = {
  suspect: 'suspect, the promise passes by changes to what judges the work, not by the work',
  mixed: 'the promise passes only together with changes to what judges the work',
  'not-alone':
    'what judges the work was changed: that alone does not make the promise pass, but it was not tried without',
  'not-checkable': 'what judges the work was changed, and a clean copy cannot tell what that does',
  unsteady: 'the promise failed once and passed once in a clean copy',
  unchanged: 'nothing was changed, and the promise passes although it failed before',
  'only-here': 'the promise passes in your tree, and fails in a clean copy with the same files',
  'self-made': 'the agent wrote what checks it',
  named: 'the promise passes by changes to files that you named',
  silenced: 'comments were added that keep a tool of the promise from looking',
  piped: 'a command before a pipe failed, and only the last one decides',
  accepted: 'you accepted changes to what judges the work',
  unlooked: 'what judges the work was changed, and nobody has looked at that again',
}

function placeOf({ branch, commit }: { branch: string | null; commit: string | null }): string {
  return branch ?? commit?.slice(0, 7) ?? 'nowhere'
}
