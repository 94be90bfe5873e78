/**
 * Mocha: its closing counts, which its reporters for people share. A hook that fails counts one, whatever was not
 * run because of it. A run without its counts says nothing: the numbered lists of others look the same.
 */
import { numberOf, type Runner } from '../runner.ts'

export const mocha: Runner = { summary, oneByOne: () => null }

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  for (const [i, line] of lines.entries()) {
    if (!/^ {2}\d{1,9} passing \(\S+\)$/.test(line)) continue
    const more = lines.slice(i + 1, i + 3).filter(next => /^ {2}\d{1,9} (?:pending|failing)$/.test(next))
    const failing = numberOf('failing', more.join('\n'))
    // None of any kind: no test was run.
    if (failing > 0 || more.length > 0 || numberOf('passing', line) > 0) count = (count ?? 0) + failing
  }
  return count
}
