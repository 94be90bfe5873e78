/**
 * cargo test: one summary per test binary. A binary without a summary (aborted or exited) counts at least one,
 * and so does a crate that does not compile while others were tested. If nothing was tested, the count is
 * unknown.
 */
import { numberOf, orNull, type Runner } from '../runner.ts'

export const cargo: Runner = { summary, oneByOne }

const failedTest = /^(?:test \S.* \.\.\.|\S+ ---) FAILED$/

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  let running: { failures: number } | null = null
  const uncompiled = new Set<string>()
  for (const line of lines) {
    if (/^running \d+ tests?$/.test(line)) running = { failures: 0 }
    else if (running !== null && failedTest.test(line)) running.failures += 1
    else if (/^test result: (?:ok|FAILED)\. \d+ passed; \d+ failed;/.test(line)) {
      count = (count ?? 0) + numberOf('failed', line)
      running = null
    } else if (running !== null && /^error: (?:doc)?test failed, to rerun pass/.test(line)) {
      count = (count ?? 0) + Math.max(1, running.failures)
      running = null
    }
    const [, crate] = /^error: could not compile `([^`]+)`/.exec(line) ?? []
    if (crate !== undefined) uncompiled.add(crate)
  }
  return count === null ? null : count + uncompiled.size
}

function oneByOne(lines: readonly string[]): number | null {
  if (!lines.some(line => /^running \d+ tests?$/.test(line))) return null
  return orNull(lines.filter(line => failedTest.test(line)).length)
}
