/**
 * go test: plain, -v and -json. A package ends with a line of its own. A package that fails without a failing
 * test (build error, exit, timeout) counts one. With -json, build errors are still plain text.
 */
import { failedPaths } from '../leaves.ts'
import { orNull, type Runner } from '../runner.ts'

export const go: Runner = { summary, oneByOne }

/** Not anchored at the line's start: output of a test without a newline can precede it. */
const failedTest = /--- FAIL: (\S+) \(\d+\.\d+s\)$/
const endOfPackage = /^(ok {2}|FAIL)\t\S+(?:\t| \[|$)/

function summary(lines: readonly string[]): number | null {
  const plainly = plain(lines)
  const events = json(lines)
  if (plainly === null && events === null) return null
  return (plainly ?? 0) + (events ?? 0)
}

function plain(lines: readonly string[]): number | null {
  let count: number | null = null
  let failed = new Set<string>()
  for (const line of lines) {
    const [, test] = failedTest.exec(line) ?? []
    if (test !== undefined) failed.add(test)
    const [, how] = endOfPackage.exec(line) ?? []
    if (how === undefined) continue
    count = (count ?? 0) + Math.max(how === 'FAIL' ? 1 : 0, failedPaths(failed))
    failed = new Set()
  }
  return count
}

function json(lines: readonly string[]): number | null {
  let ended = false
  const packages = new Map<string, Set<string>>()
  for (const line of lines) {
    const [, action] = /^\{.*?"Action":"(pass|fail|skip)"/.exec(line) ?? []
    const [, name] = /"Package":"([^"]+)"/.exec(line) ?? []
    if (action === undefined || name === undefined) continue
    const [, test] = /"Test":"((?:[^"\\]|\\.)+)"/.exec(line) ?? []
    if (test === undefined) ended = true
    if (action !== 'fail') continue
    const failed = packages.get(name) ?? new Set()
    packages.set(name, test === undefined ? failed : failed.add(test))
  }
  if (!ended && packages.size === 0) return null
  return [...packages.values()].reduce((sum, failed) => sum + Math.max(1, failedPaths(failed)), 0)
}

/** For a test binary run directly, or a run that was cut short. */
function oneByOne(lines: readonly string[]): number | null {
  return orNull(failedPaths(new Set(lines.flatMap(line => failedTest.exec(line)?.[1] ?? []))))
}
