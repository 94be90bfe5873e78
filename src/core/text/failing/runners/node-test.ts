/**
 * node:test. The spec and TAP reporters end with counts (tape prints some of the same). A cancelled test, such
 * as one that timed out, counts as failed. The dot reporter lists failures without a count.
 */
import { failedLeaves, type TestResult } from '../leaves.ts'
import { orNull, type Runner } from '../runner.ts'

export const nodeTest: Runner = { summary, oneByOne }

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  let begun = false
  for (const line of lines) {
    const [, kind, number] = /^[#ℹ] (tests|fail|cancelled) +(\d{1,9})$/.exec(line) ?? []
    if (kind === 'tests') begun = true
    else if (kind !== undefined && begun) count = (count ?? 0) + Number(number)
    else if (/^[#ℹ] duration_ms /.test(line)) begun = false
  }
  return count
}

function oneByOne(lines: readonly string[]): number | null {
  const results: TestResult[] = []
  for (const [index, line] of lines.entries()) {
    const [, indent = '', mark] = /^( *)([✖✔]) .*\(\d+(?:\.\d+)?ms\)(?: # .*)?$/.exec(line) ?? []
    if (mark === undefined) continue
    const failed = mark === '✖' && !/# (?:TODO|SKIP)\b.*$/.test(line)
    const holdsOthers = /^ +'\d+ subtests? failed'$/.test(lines[index + 1] ?? '')
    results.push({ depth: indent.length, failed: failed && !holdsOthers })
  }
  return orNull(failedLeaves(results))
}
