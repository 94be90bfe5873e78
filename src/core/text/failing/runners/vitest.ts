/**
 * Vitest. The summary of failed tests omits failed files and hooks (Failed Suites) and uncaught errors
 * (Errors); both are added here.
 */
import { numberOf, orNull, type Runner } from '../runner.ts'

export const vitest: Runner = { summary, oneByOne }

const counts = String.raw`(?:no tests|\d+ [a-z].*\(\d+\))$`
const files = new RegExp(`^ *Test Files +${counts}`)
const tests = new RegExp(`^ *Tests +${counts}`)

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  let failedFiles: number | null = null
  let suites = 0
  for (const line of lines) {
    suites += Number(/^⎯+ Failed Suites (\d{1,9}) ⎯+$/.exec(line)?.[1] ?? 0)
    if (files.test(line)) failedFiles = numberOf('failed', line)
    else if (tests.test(line) && failedFiles !== null) {
      count = (count ?? 0) + Math.max(failedFiles, numberOf('failed', line) + suites)
      suites = 0
      failedFiles = null
    } else if (count !== null) count += Number(/^ *(?:Type )?Errors +(\d{1,9}) errors?$/.exec(line)?.[1] ?? 0)
  }
  return count
}

function oneByOne(lines: readonly string[]): number | null {
  const listed = new Set(lines.filter(line => /^ FAIL {2,}\S.* (?:>|\[) /.test(line)))
  const ofFiles = lines.map(line =>
    Number(/^ ❯ \S.* \(\d+ tests? \| (\d{1,9}) failed\b/.exec(line)?.[1] ?? 0),
  )
  return orNull(
    Math.max(
      listed.size,
      ofFiles.reduce((sum, count) => sum + count, 0),
    ),
  )
}
