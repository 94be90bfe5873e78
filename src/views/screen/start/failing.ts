/** What still fails, by name: the tests that a runner names, else the checks, else what was printed anew. */
import type { CriterionResult } from '../../../model/loop/event.ts'
import { withPlace } from '../../text/promise-output.ts'
import { lastLine } from './agent.ts'

/** `said`: a line of a runner that names nothing. `all`: how many there are, with those that are not listed. */
type NamedFailing = { names: string[]; placed: string[]; all: number; said: string }

export function namedFailing(results: readonly CriterionResult[]): NamedFailing {
  const failed = results.filter(({ verdict }) => verdict !== 'PASS')
  const isOne = results.length === 1
  const found = failed.map(({ name, why, fails = [], failing }) => {
    if (fails.length === 0) return isOne ? nothing : only(`${name} (${why})`)
    const placed = fails.map((one, i) => withPlace(one, fails[i - 1]))
    return { names: fails.map(one => one.name), placed, all: Math.max(failing ?? 0, fails.length) }
  })
  const names = found.flatMap(one => one.names)
  // Numbers of a known runner say more than its last line.
  const isKnown = names.length > 0 || failingSum(results) !== null
  return {
    names,
    placed: found.flatMap(one => one.placed),
    all: found.reduce((sum, one) => sum + one.all, 0),
    said: isKnown ? '' : printed(failed[0]),
  }
}

const nothing = { names: [], placed: [], all: 0 }

function only(words: string) {
  return { names: [words], placed: [words], all: 1 }
}

function printed(result: CriterionResult | undefined): string {
  return result ? (result.differs?.[0] ?? lastLine(result.output.tail)) : ''
}

/** The sum over all criteria; null if the promise names no number. */
export function failingSum(results: readonly { failing: number | null }[]): number | null {
  const known = results.flatMap(({ failing }) => failing ?? [])
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0)
}

export function testsRun(results: readonly CriterionResult[]): number {
  return results.reduce((sum, { total = 0 }) => sum + total, 0)
}
