/**
 * unittest of Python, also run by Django. An error counts like a failure, and so does an unexpected success.
 * "OK" after no tests means nothing.
 */
import { orNull, type Runner } from '../runner.ts'

export const unittest: Runner = { summary, oneByOne }

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  for (const [i, line] of lines.entries()) {
    if (!/^Ran [1-9]\d* tests? in \d+\.\d+s$/.test(line)) continue
    // Only the next line counts: a test can print a similar one.
    const [verdict, counts = ''] = /^(?:OK|FAILED)(?: \((.*)\))?$/.exec(lines[i + 1] ?? '') ?? []
    if (verdict !== undefined) count = (count ?? 0) + failuresIn(counts)
  }
  return count
}

/** `failures=2, errors=1, skipped=1, expected failures=1, unexpected successes=1` */
function failuresIn(counts: string): number {
  const numbers = counts.split(', ').flatMap(part => {
    const [, number] = /^(?:failures|errors|unexpected successes)=(\d{1,9})$/.exec(part) ?? []
    return number === undefined ? [] : Number(number)
  })
  return numbers.reduce((sum, number) => sum + number, 0)
}

function oneByOne(lines: readonly string[]): number | null {
  const failures = new Set<string>()
  for (const line of lines) {
    // Either in the list at the end, or where the test ran (-v).
    const [, listed] = /^(?:FAIL|ERROR): (\w+ \([\w.]+\).*)$/.exec(line) ?? []
    const [, ran] = /^(\w+ \([\w.]+\)) \.\.\. (?:FAIL|ERROR)$/.exec(line) ?? []
    const failure = listed ?? ran
    if (failure !== undefined) failures.add(failure)
  }
  return orNull(failures.size)
}
