/**
 * The number of failing tests over the iterations of a loop, oldest first. The journal is read once, later only its
 * new events.
 */
import type { CriterionResult } from '../../model/loop/event.ts'
import type { Store } from '../../store/contract.ts'

/** Null for an iteration in which no runner reported a number. */
type Failing = (number | null)[]

export type FailingSeries = (id: string, seq: number) => Failing

const mostPoints = 40
const mostKnown = 4_096

export function failingIn(store: Pick<Store, 'journals'>): FailingSeries {
  const known = new Map<string, { seq: number; series: Failing }>()
  return (id, seq) => {
    const before = known.get(id) ?? { seq: 0, series: [] }
    if (before.seq === seq) return before.series
    const verified = store.journals.ofKinds(id, ['promise.verified'], before.seq)
    const added = verified.map(({ data }) => ('results' in data ? failingOf(data.results) : null))
    const series = [...before.series, ...added].slice(-mostPoints)
    known.delete(id)
    known.set(id, { seq, series })
    const [oldest] = known.keys()
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
    return series
  }
}

function failingOf(results: readonly CriterionResult[]): number | null {
  if (results.every(({ verdict }) => verdict === 'PASS')) return 0
  const counted = results.flatMap(({ failing }) => failing ?? [])
  return counted.length === 0 ? null : counted.reduce((sum, one) => sum + one, 0)
}
