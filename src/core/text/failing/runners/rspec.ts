/** RSpec. An error outside of the examples, such as a file that does not load, counts like a failure. */
import { numberOf, orNull, type Runner } from '../runner.ts'

export const rspec: Runner = { summary, oneByOne }

const counts =
  /^\d+ examples?, \d+ failures?(?:, \d+ pending)?(?:, \d+ errors? occurred outside of examples)?$/

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  for (const [i, line] of lines.entries()) {
    // The line before distinguishes the summary from the same words in an example's output.
    if (!counts.test(line) || !/^Finished in \d/.test(lines[i - 1] ?? '')) continue
    const failed = numberOf('failures?', line) + numberOf('errors? occurred', line)
    if (failed > 0 || numberOf('examples?', line) > 0) count = (count ?? 0) + failed
  }
  return count
}

function oneByOne(lines: readonly string[]): number | null {
  return orNull(lines.filter(line => / \(FAILED - \d{1,9}\)$/.test(line)).length)
}
