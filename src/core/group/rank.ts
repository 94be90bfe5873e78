/**
 * rank(state, choose): ranks several results by recorded values alone. The order of the criteria is fixed, and
 * every value that was compared is kept, so that a person can see the reason.
 */
import type { Chosen, NodeEnd, Ranked } from '../../model/group/event.ts'
import type { NodeOf } from '../../model/group/node.ts'
import { bestOfEquals, preferences, preferredOf } from './comparison.ts'
import { find, type GroupState, isKind, isWell, type NodeState } from './state.ts'

/** The ranking criteria, strongest first. */
const order: { name: string; better: 'less' | 'more' }[] = [
  { name: 'doubts', better: 'less' },
  { name: 'metric', better: 'less' },
  { name: 'lint', better: 'less' },
  { name: 'types', better: 'less' },
  { name: 'coverage', better: 'more' },
  { name: 'votes', better: 'more' },
  { name: 'lines', better: 'less' },
]

export function rank(state: GroupState, { among, by }: NodeOf<'choose'>): Chosen {
  const rows = among.flatMap(id => find(state, id) ?? []).map(one => rowOf(state, one))
  const gate = by === null ? undefined : find(state, by)
  if (gate) return chosenBy(rows, gate.end?.answer ?? '')
  const sorted = sortedBy(rows, criteriaIn(state))
  const [first, second] = sorted
  if (!first?.passed) return { winner: null, by: null, order: sorted }
  const told = second ? compare(first, second, criteriaIn(state)).by : null
  return told === null && second ? judged(state, sorted) : { winner: first.node, by: told, order: sorted }
}

/** The results that no measure distinguishes from the best one, in the order of their attempts. */
export function equalsAmong(state: GroupState, among: readonly string[]): string[] {
  const rows = among.flatMap(id => find(state, id) ?? []).map(one => rowOf(state, one))
  return equalsOf(sortedBy(rows, criteriaIn(state)), criteriaIn(state)).map(({ node }) => node)
}

function equalsOf(sorted: Ranked[], criteria: typeof order): Ranked[] {
  const [first] = sorted
  return first?.passed ? sorted.filter(one => compare(first, one, criteria).sign === 0) : []
}

/** If a judge was asked about equal results: its answers for each, with the preferred one first. */
function judged(state: GroupState, sorted: Ranked[]): Chosen {
  const equals = equalsOf(sorted, criteriaIn(state)).map(({ node }) => node)
  const best = bestOfEquals(state, equals) ?? null
  const asked = sorted.map(row => {
    const others = equals.filter(id => id !== row.node)
    const judge = equals.includes(row.node) ? preferences(state, row.node, others) : null
    return judge === null ? row : { ...row, values: { ...row.values, judge } }
  })
  const isPreferred = equals.some(id => best !== null && id !== best && preferredOf(state, best, id) === best)
  const winner = asked.find(({ node }) => node === best)
  const others = asked.filter(({ node }) => node !== best)
  return {
    winner: best,
    by: isPreferred ? 'judge' : null,
    order: [...(winner ? [winner] : []), ...others],
  }
}

function sortedBy(rows: Ranked[], criteria: typeof order): Ranked[] {
  return rows.toSorted((a, b) => compare(a, b, criteria).sign)
}

function criteriaIn(state: GroupState): typeof order {
  return order.map(one => ({ ...one, better: betterOf(state, one) }))
}

function chosenBy(rows: Ranked[], answer: string): Chosen {
  const winner = rows.find(({ node }) => node === answer) ?? null
  return { winner: winner?.node ?? null, by: winner && 'a person', order: rows }
}

/** A metric itself defines which direction is better. */
function betterOf(state: GroupState, { name, better }: (typeof order)[number]): 'less' | 'more' {
  const measured = state.nodes.find(one => isKind(one, 'command') && one.node.measure?.name === name)
  return (measured && isKind(measured, 'command') && measured.node.measure?.better) || better
}

function rowOf(state: GroupState, one: NodeState): Ranked {
  const { id } = one.node
  const look = lookAt(state, id)?.is ?? 'sound'
  const isSuspect = look === 'suspect'
  const values: Ranked['values'] = {
    doubts: (one.end?.doubts ?? 0) + (look === 'sound' ? 0 : 1),
    ...(isSuspect && { suspect: 1 }),
  }
  for (const measured of state.nodes) {
    if (!isKind(measured, 'command') || measured.node.of !== id || !measured.node.measure) continue
    const { name } = measured.node.measure
    const value = measured.end?.value ?? null
    values[name] = name === 'votes' ? (values[name] ?? 0) + (value ?? 0) : value
  }
  values['lines'] = one.end?.size ?? null
  return { node: id, passed: isWell(one) && !isSuspect, values }
}

/** What a second look at this result found; undefined if there was none. */
export function lookAt({ nodes }: GroupState, id: string): NodeEnd['looked'] {
  return nodes.find(one => isKind(one, 'command') && one.node.purpose === 'look' && one.node.of === id)?.end
    ?.looked
}

type RankOrder = { sign: number; by: string | null }

/** A missing value is worse than any value. */
function compare(a: Ranked, b: Ranked, criteria: typeof order): RankOrder {
  if (a.passed !== b.passed) return { sign: a.passed ? -1 : 1, by: 'promise' }
  for (const { name, better } of criteria) {
    const [one, other] = [a.values[name] ?? null, b.values[name] ?? null]
    if (one === other) continue
    if (one === null || other === null) return { sign: one === null ? 1 : -1, by: name }
    return { sign: one < other === (better === 'less') ? -1 : 1, by: name }
  }
  return { sign: 0, by: null }
}
