/**
 * Groups as they are shown: with their members in the order of the plan, and with the current cost of all members.
 * The group's own row lags behind: it learns a member's cost at that member's end.
 */
import { isNotApplied } from '../../core/attention.ts'
import { costTogether, type GroupSummary } from '../../core/group/summary.ts'
import type { Brief } from '../../core/loop/summary.ts'
import { type AnySummary, type ByKind, byKind, type Summary } from '../../core/summary.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'
import type { Shown } from '../../views/text/status.ts'
import { type HostOf, shown } from './orphans.ts'

type ShownRows<T extends Brief> = { rows: Shown<T>[]; damaged: string[] }

/** Rows that are not groups stay unchanged. */
export function withMembers<T extends Brief>(
  store: Store,
  rows: Shown<T>[],
  hostOf: HostOf = store.leases.finder(),
): ShownRows<T> {
  const { summaries, damaged } = store.heads.members(rows.map(({ summary }) => summary.id))
  if (summaries.length === 0) return { rows, damaged }
  const byGroup = Map.groupBy(summaries, ({ group }) => group)
  const whole = rows.map(row => {
    const members = byGroup.get(row.summary.id)
    if (!members) return row
    const costs = costTogether(members)
    const group = store.heads.get(row.summary.id)
    const { nodes = [] }: Partial<AnySummary> = group.ok ? group.value : {}
    const ordered = inPlan(nodes, members)
    const placed = ordered.map(one => ({
      ...shown(store, one, hostOf),
      node: nodes.find(({ member }) => member === one.id)?.id ?? null,
    }))
    const isWaiting = group.ok && isNotApplied(group.value)
    const summary = { ...row.summary, ...costs }
    return { ...row, summary, members: placed, ...(isWaiting && { notApplied: true as const }) }
  })
  return { rows: whole, damaged }
}

type Node = GroupSummary['nodes'][number]

/** Members that were replaced by another one come last. */
function inPlan(nodes: Node[], members: Summary[]): Summary[] {
  const planned = nodes.flatMap(({ member }) => members.find(({ id }) => id === member) ?? [])
  return [...planned, ...members.filter(one => !planned.includes(one))]
}

/** Without questions to models, which nobody can steer. */
export function workingMembers(store: Store, group: string): string[] {
  return store.journals.inGroup(group).filter(id => {
    const head = store.heads.get(id)
    return !head.ok || head.value.answers === undefined
  })
}

/** A group with one member stands for that member. */
export function oneLoop(store: Store, found: Result<Summary>): Result<Summary> {
  return found.ok ? byKind(standIns, found.value, store) : found
}

const standIns: ByKind<Result<Summary>, [Store]> = {
  loop: ok,
  group({ id }, store) {
    const members = workingMembers(store, id)
    const [only] = members
    if (only !== undefined && members.length === 1) return store.heads.get(only)
    return fail('invalid-arguments', { kind: 'group-for-loop', id, members })
  },
  newer: ok,
}
