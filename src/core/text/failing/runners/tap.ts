/**
 * TAP has no summary: results are counted one by one. A subtest is indented and precedes the result of its
 * parent, or follows it in braces. Lines inside a YAML block are not results.
 */
import { failedLeaves, type TestResult } from '../leaves.ts'
import { orNull, type Runner } from '../runner.ts'

export const tap: Runner = { summary: () => null, oneByOne }

const version = /^TAP version \d+$/
const plan = /^1\.\.\d+$/

function oneByOne(lines: readonly string[]): number | null {
  const planned = lines.some(line => plan.test(line))
  if (!planned && !lines.some(line => version.test(line))) return null
  const bailedOut = lines.some(line => line.startsWith('Bail out!'))
  const failures = Math.max(failedLeaves(results(lines)), bailedOut ? 1 : 0)
  // Without its plan the run has not ended, and remaining tests can still fail.
  return planned ? failures : orNull(failures)
}

function results(lines: readonly string[]): TestResult[] {
  const found: TestResult[] = []
  const braces: TestResult[] = []
  let yaml: number | null = null
  for (const line of lines) {
    const depth = line.length - line.trimStart().length
    if (yaml !== null && depth >= yaml) {
      if (depth === yaml && line.trim() === '...') yaml = null
      continue
    }
    yaml = depth > 0 && line.trim() === '---' ? depth : null
    const result = resultOf(line, depth)
    if (result !== null && line.endsWith(' {')) braces.push(result)
    else if (result !== null) found.push(result)
    else if (line.trim() === '}' && braces.at(-1)?.depth === depth) found.push(...braces.splice(-1))
  }
  return [...found, ...braces.toReversed()]
}

function resultOf(line: string, depth: number): TestResult | null {
  const result = /^ *(not )?ok\b/i.exec(line)
  if (result === null) return null
  return { depth, failed: result[1] !== undefined && !/#\s*(?:TODO|SKIP)\b/i.test(line) }
}
