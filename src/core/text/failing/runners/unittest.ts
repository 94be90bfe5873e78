/**
 * unittest of Python, also run by Django. An error counts like a failure, and so does a test that was expected to
 * fail and does not. Where it ran no test it says OK, which says nothing.
 */
import { orNull, type Runner } from '../runner.ts'

export const unittest: Runner = { summary, oneByOne }

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  for (const [i, line] of lines.entries()) {
    if (!/^Ran [1-9]\d* tests? in \d+\.\d+s$/.test(line)) continue
    // The very next line: a test may print one like it.
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
    // In the list at the end, or where it ran (-v).
    const [, listed] = /^(?:FAIL|ERROR): (\w+ \([\w.]+\).*)$/.exec(line) ?? []
    const [, ran] = /^(\w+ \([\w.]+\)) \.\.\. (?:FAIL|ERROR)$/.exec(line) ?? []
    const failure = listed ?? ran
    if (failure !== undefined) failures.add(failure)
  }
  return orNull(failures.size)
}
