/**
 * Mocha: the final counts, which are the same in all its human-readable reporters. A failing hook counts one,
 * however many tests it prevented. Without the counts nothing is known: numbered lists of other programs look
 * the same.
 */
import { numberOf, type Runner } from '../runner.ts'

export const mocha: Runner = { summary, oneByOne: () => null }

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  for (const [i, line] of lines.entries()) {
    if (!/^ {2}\d{1,9} passing \(\S+\)$/.test(line)) continue
    const more = lines.slice(i + 1, i + 3).filter(next => /^ {2}\d{1,9} (?:pending|failing)$/.test(next))
    const failing = numberOf('failing', more.join('\n'))
    // No count of any kind means that no test was run.
    if (failing > 0 || more.length > 0 || numberOf('passing', line) > 0) count = (count ?? 0) + failing
  }
  return count
}
