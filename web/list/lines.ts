/** The lines of the list: rows by section, filtered and sorted, with the members of open groups. */
import type { ListRow } from '../base/list.ts'

export const listSections = [
  ['attention', 'Needs you'],
  ['running', 'Running'],
  ['queued', 'Queued'],
  ['paused', 'Paused'],
  ['done', 'Done'],
] as const

export const sorts = [
  ['attention', 'What needs you first'],
  ['created', 'Newest first'],
  ['cost', 'Most expensive first'],
  ['iteration', 'Most iterations first'],
  ['elapsed', 'Longest first'],
] as const

export type ListSection = (typeof listSections)[number][0]
export type Sort = (typeof sorts)[number][0]
export type ListFilter = { text: string; section: ListSection | ''; sort: Sort }

export type Line = { kind: 'head'; words: string; count: number } | { kind: 'row' | 'member'; row: ListRow }

export function countsOf(rows: ReadonlyMap<string, ListRow>): Record<ListSection, number> {
  const counts = { attention: 0, running: 0, queued: 0, paused: 0, done: 0 }
  for (const { section } of rows.values()) counts[section] += 1
  return counts
}

export function listLines(
  rows: ReadonlyMap<string, ListRow>,
  filter: ListFilter,
  isOpen: ReadonlySet<string>,
): Line[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = [...rows.values()].filter(
    row =>
      (filter.section === '' || row.section === filter.section) &&
      words.every(word => saidOf(row).includes(word)),
  )
  const sorted = found.sort(orders[filter.sort])
  const withMembers = (row: ListRow): Line[] => [
    { kind: 'row', row },
    ...(isOpen.has(row.id)
      ? (row.members ?? []).map((member): Line => ({ kind: 'member', row: member as ListRow }))
      : []),
  ]
  if (filter.sort !== 'attention') return sorted.flatMap(withMembers)
  return listSections.flatMap(([name, title]): Line[] => {
    const some = sorted.filter(({ section }) => section === name)
    return some.length === 0
      ? []
      : [{ kind: 'head', words: title, count: some.length }, ...some.flatMap(withMembers)]
  })
}

/** Cached: building the text of thousands of rows at each key is slow, and most rows stay the same. */
const said = new WeakMap<ListRow, string>()

function saidOf(row: ListRow): string {
  const known = said.get(row)
  if (known !== undefined) return known
  const { id, prompt, cwd, agent, promise, reason, status, members = [] } = row
  const text = [id, prompt, cwd, agent, promise, reason, status, ...members.map(member => member.id)]
    .join(' ')
    .toLowerCase()
  said.set(row, text)
  return text
}

const newest = (a: ListRow, b: ListRow) => b.createdAt - a.createdAt

const orders: Record<Sort, (a: ListRow, b: ListRow) => number> = {
  attention: newest,
  created: newest,
  cost: (a, b) => (b.costUsd ?? -1) - (a.costUsd ?? -1) || newest(a, b),
  iteration: (a, b) => b.iteration - a.iteration || newest(a, b),
  elapsed: (a, b) => b.elapsedMs - a.elapsedMs || newest(a, b),
}
