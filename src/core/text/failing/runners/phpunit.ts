/** PHPUnit. An error counts like a failure; skipped, incomplete and risky tests do not. */
import type { Runner } from '../runner.ts'

export const phpunit: Runner = { summary, oneByOne: () => null }

const heading = /^(?:FAILURES!|ERRORS!|WARNINGS!|OK, but .*!|There (?:was|were) .*)$/
const counts = /^Tests: \d+, Assertions: \d+(?:, [A-Z][\w ]{1,30}: \d{1,9})*\.$/

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  for (const [i, line] of lines.entries()) {
    if (/^OK \([1-9]\d* tests?, \d+ assertions?\)$/.test(line)) count ??= 0
    // The line before distinguishes the summary from the same words in a test's output.
    if (!counts.test(line) || !heading.test(lines[i - 1] ?? '')) continue
    count = (count ?? 0) + after('Errors', line) + after('Failures', line)
  }
  return count
}

function after(kind: string, line: string): number {
  return Number(new RegExp(`, ${kind}: (\\d{1,9})`).exec(line)?.[1] ?? 0)
}
