/** dotnet test: one line for each test assembly, or since .NET 9 one for all of them on a terminal. */
import { orNull, type Runner } from '../runner.ts'

export const dotnet: Runner = { summary, oneByOne }

const ofAssembly =
  /^(?:Failed|Passed|Skipped)! +- Failed: +(\d{1,9}), Passed: +\d+, Skipped: +\d+, Total: +\d+, Duration: /
const ofAll = /^Test summary: total: \d+, failed: (\d{1,9}), succeeded: \d+, skipped: \d+, duration: /

function summary(lines: readonly string[]): number | null {
  return sum(lines, ofAll) ?? sum(lines, ofAssembly)
}

function sum(lines: readonly string[], form: RegExp): number | null {
  const counts = lines.flatMap(line => form.exec(line)?.[1] ?? [])
  return counts.length === 0 ? null : counts.reduce((all, count) => all + Number(count), 0)
}

function oneByOne(lines: readonly string[]): number | null {
  return orNull(new Set(lines.filter(line => /^ {2}Failed \S+.* \[[^\]]{1,20}\]$/.test(line))).size)
}
