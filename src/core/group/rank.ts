/**
 * rank(state, choose): which of several results is the best, from what was recorded and nothing else. The order of
 * what counts is fixed; every value that was looked at is kept, so that a person can see why.
 */
import type { Chosen, Ranked } from '../../model/group/event.ts'
import type { NodeOf } from '../../model/group/node.ts'
import { find, type GroupState, isKind, isWell, type NodeState } from './state.ts'

/** What counts, strongest first. */
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
  const criteria = order.map(one => ({ ...one, better: betterOf(state, one) }))
  const sorted = rows.toSorted((a, b) => compare(a, b, criteria).sign)
  const [first, second] = sorted
  if (!first?.passed) return { winner: null, by: null, order: sorted }
  const told = second ? compare(first, second, criteria).by : null
  return { winner: first.node, by: told, order: sorted }
}

function chosenBy(rows: Ranked[], answer: string): Chosen {
  const winner = rows.find(({ node }) => node === answer) ?? null
  return { winner: winner?.node ?? null, by: winner && 'a person', order: rows }
}

/** A metric says itself which way is better. */
function betterOf(state: GroupState, { name, better }: (typeof order)[number]): 'less' | 'more' {
  const measured = state.nodes.find(one => isKind(one, 'command') && one.node.measure?.name === name)
  return (measured && isKind(measured, 'command') && measured.node.measure?.better) || better
}

function rowOf(state: GroupState, one: NodeState): Ranked {
  const { id } = one.node
  const values: Ranked['values'] = { doubts: one.end?.doubts ?? 0 }
  for (const measured of state.nodes) {
    if (!isKind(measured, 'command') || measured.node.of !== id || !measured.node.measure) continue
    const { name } = measured.node.measure
    const value = measured.end?.value ?? null
    values[name] = name === 'votes' ? (values[name] ?? 0) + (value ?? 0) : value
  }
  values['lines'] = one.end?.size ?? null
  return { node: id, passed: isWell(one), values }
}

type Compared = { sign: number; by: string | null }

/** What has no value is worse than any value. */
function compare(a: Ranked, b: Ranked, criteria: typeof order): Compared {
  if (a.passed !== b.passed) return { sign: a.passed ? -1 : 1, by: 'promise' }
  for (const { name, better } of criteria) {
    const [one, other] = [a.values[name] ?? null, b.values[name] ?? null]
    if (one === other) continue
    if (one === null || other === null) return { sign: one === null ? 1 : -1, by: name }
    return { sign: one < other === (better === 'less') ? -1 : 1, by: name }
  }
  return { sign: 0, by: null }
}
