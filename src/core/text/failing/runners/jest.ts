/**
 * Jest. Its summary counts a file that could not be loaded only as a failing suite. Such a file is counted
 * here, once, although Jest prints everything twice after many failures.
 */
import { numberOf, orNull, type Runner } from '../runner.ts'

export const jest: Runner = { summary, oneByOne }

/** The duration follows if it was long. */
const file = /^ ?(?:FAIL|PASS) +(\S.*?)(?: \(\d[\d.]* m?s\))?$/
const notLoaded = /^ *● Test suite failed to run$/

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  let current = ''
  let suites = 0
  const unloaded = new Set<string>()
  for (const line of lines) {
    current = file.exec(line)?.[1] ?? current
    if (notLoaded.test(line)) unloaded.add(current)
    if (/^ *Test Suites: +.*\d+ total$/.test(line)) suites = numberOf('failed', line)
    if (!/^ *Tests: +(?:\S.*, )?\d+ total$/.test(line)) continue
    count = (count ?? 0) + Math.max(suites, numberOf('failed', line) + unloaded.size)
    suites = 0
    unloaded.clear()
  }
  return count
}

function oneByOne(lines: readonly string[]): number | null {
  const failures = new Map<string, Set<string>>()
  let current: Set<string> | undefined
  for (const line of lines) {
    const [, name] = file.exec(line) ?? []
    if (name !== undefined) {
      current = /^ ?FAIL/.test(line) ? (failures.get(name) ?? new Set()) : undefined
      if (current !== undefined) failures.set(name, current)
    }
    const [, failure] = /^ {2}● (\S.*)$/.exec(line) ?? []
    if (failure !== undefined && failure !== 'Console') current?.add(failure)
  }
  return orNull([...failures.values()].reduce((sum, { size }) => sum + Math.max(1, size), 0))
}
