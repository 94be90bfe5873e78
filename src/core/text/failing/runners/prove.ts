/**
 * prove (Test::Harness): a summary of TAP. A file that dies, or runs a different number of tests than planned,
 * counts at least one.
 */
import type { Runner } from '../runner.ts'

export const prove: Runner = { summary, oneByOne: () => null }

function summary(lines: readonly string[]): number | null {
  if (!lines.some(line => /^Result: (?:PASS|FAIL)$/.test(line))) return null
  let count = 0
  let unexplained = false
  for (const line of lines) {
    const [, failed] = /\(Wstat: \d.* Tests: \d+ Failed: (\d{1,9})\)$/.exec(line) ?? []
    if (failed !== undefined) {
      count += Number(failed)
      unexplained = failed === '0'
    } else if (unexplained && /^ {2}(?:Non-zero|Parse errors)/.test(line)) {
      count += 1
      unexplained = false
    }
  }
  return count
}
