/**
 * The list that people watch: filtered, searched, sorted, in pages. Short rows are used where they suffice; whole
 * summaries are read for the requested page, and for loops that may need a person.
 */
import {
  attentionOf,
  isNews,
  type ListSort,
  newsMs,
  type Section,
  sectionOf,
  sections,
} from '../../core/attention.ts'
import { type Brief, isOpen, type Status } from '../../core/loop/summary.ts'
import { restartOf } from '../../core/queue.ts'
import type { Summary } from '../../core/summary.ts'
import { type RowNow, type WatchedRow, watchedRow } from '../../documents/loop.ts'
import type { Store } from '../../store/contract.ts'
import { withMembers } from './members.ts'
import { type HostOf, shown } from './orphans.ts'

type ListWish = {
  status?: readonly Status[]
  section?: Section
  agent?: string
  cwd?: string
  /** Words that must all occur in the id, prompt, promise, directory or agent. */
  search?: string
  sort: ListSort
  isAscending: boolean
  limit: number
  /** The position of the last row of the previous page. */
  after: ListPlace | null
}

/** The position of a row in the order: its section, its value, its id. */
export type ListPlace = [section: number, value: number, id: string]

type ListPage = {
  rows: WatchedRow[]
  next: ListPlace | null
  total: number
  counts: { sections: Record<Section, number>; statuses: Partial<Record<Status, number>> }
  damaged: string[]
}

/** The limit on completed loops that are checked for doubts, newest first. */
const mostDoubted = 500
const mostKnown = 10_000

type Line = { brief: Brief; section: Section }

type Judge = (brief: Brief, now: number, hostOf: HostOf) => Section

/** Caches the doubts of ended loops, which no longer change. */
export function sectionsIn(store: Store): Judge {
  const doubtful = new Map<string, { endedAt: number | null; isDoubtful: boolean }>()
  return (brief, now, hostOf) => {
    // A crashed loop can be restarted, and needs a person once it is not.
    if (isOpen(brief.status) || brief.status === 'crashed') return sectionFully(store, brief, { hostOf, now })
    const known = doubtful.get(brief.id)
    if (known?.endedAt === brief.endedAt) return known.isDoubtful ? 'attention' : 'done'
    const section = sectionFully(store, brief, { hostOf, now })
    if (doubtful.size >= mostKnown) doubtful.clear()
    doubtful.set(brief.id, { endedAt: brief.endedAt, isDoubtful: section === 'attention' })
    return section
  }
}

/** `judge`: kept by callers that ask for the list often. */
export function listPage(store: Store, wish: ListWish, at: RowNow & { judge?: Judge }): ListPage {
  const { judge = sectionsIn(store) } = at
  const hostOf = store.leases.finder()
  const { summaries, damaged } = store.heads.briefs({ all: {} })
  let doubted = 0
  const lines = summaries.map((brief): Line => {
    const isDoubtful = brief.status === 'completed' && isNews(brief, at.now)
    if (isDoubtful) doubted += 1
    const whole = needsSummary(brief, hostOf) || (isDoubtful && doubted <= mostDoubted)
    return {
      brief,
      section: whole ? judge(brief, at.now, hostOf) : briefly(brief, at),
    }
  })
  const wanted = lines.filter(line => isWanted(line, wish))
  const placed = wanted.map(line => ({ line, place: placeOf(line, wish, at.now) }))
  const ordered = placed.toSorted((a, b) => inOrder(a.place, b.place))
  const { after } = wish
  const rest = after ? ordered.filter(({ place }) => inOrder(place, after) > 0) : ordered
  const page = rest.slice(0, wish.limit)
  const found = rowsOf(
    store,
    page.map(({ line }) => line.brief.id),
    { hostOf, at },
  )
  return {
    rows: found.rows,
    next: rest.length > page.length ? (page.at(-1)?.place ?? null) : null,
    total: wanted.length,
    counts: countsOf(lines),
    damaged: [...damaged, ...found.damaged],
  }
}

/** The rows of these ids, in this order; groups with their members. */
export function rowsOf(
  store: Store,
  ids: readonly string[],
  { hostOf, at }: { hostOf: HostOf; at: RowNow },
): { rows: WatchedRow[]; damaged: string[] } {
  const found = ids.map(id => ({ id, summary: store.heads.get(id) }))
  const rows = found.flatMap(({ summary }) => (summary.ok ? shown(store, summary.value, hostOf) : []))
  const broken = found.flatMap(({ id, summary }) => (summary.ok ? [] : id))
  const whole = withMembers(store, rows, hostOf)
  return { rows: whole.rows.map(row => watchedRow(row, at)), damaged: [...broken, ...whole.damaged] }
}

/** The short row does not tell whether the loop needs a person. A queued one does only without loopd. */
function needsSummary({ status }: Brief, hostOf: HostOf): boolean {
  if (status === 'queued') return !hostOf.daemonRuns()
  return isOpen(status) || status === 'crashed'
}

function sectionFully(store: Store, brief: Brief, { hostOf, now }: { hostOf: HostOf; now: number }): Section {
  const summary = store.heads.get(brief.id)
  if (!summary.ok) return 'attention'
  const { orphaned } = shown<Summary>(store, summary.value, hostOf)
  const attention = attentionOf(summary.value, orphaned, now)
  return sectionOf(brief.status, attention, restartOf(summary.value) !== null)
}

function briefly(brief: Brief, { now }: RowNow): Section {
  const { status, endedAt } = brief
  const isBad = (status === 'failed' || status === 'crashed') && endedAt !== null && now - endedAt < newsMs
  return isBad ? 'attention' : sectionOf(status, null)
}

function isWanted({ brief, section }: Line, wish: ListWish): boolean {
  const { status, agent, cwd, search } = wish
  if (status && !status.includes(brief.status)) return false
  if (wish.section && wish.section !== section) return false
  if (agent !== undefined && brief.agent !== agent) return false
  if (cwd !== undefined && brief.cwd !== cwd && !brief.cwd.startsWith(`${cwd}/`)) return false
  if (!search) return true
  const text = [brief.id, brief.prompt, brief.promise, brief.cwd, brief.agent].join('\n').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}

/** The position of a row; smaller values come first. */
function placeOf({ brief, section }: Line, { sort, isAscending }: ListWish, now: number): ListPlace {
  const value = valueOf(brief, sort, now)
  return [sort === 'attention' ? sections.indexOf(section) : 0, isAscending ? value : -value, brief.id]
}

function valueOf(brief: Brief, sort: ListSort, now: number): number {
  switch (sort) {
    case 'attention':
    case 'created':
      return brief.createdAt
    case 'cost':
      return brief.costUsd ?? 0
    case 'iteration':
      return brief.iteration
    case 'elapsed':
      return (brief.endedAt ?? now) - brief.createdAt
    default:
      return sort satisfies never
  }
}

function inOrder(a: ListPlace, b: ListPlace): number {
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0)
}

function countsOf(lines: readonly Line[]): ListPage['counts'] {
  const statuses: Partial<Record<Status, number>> = {}
  const counted = { attention: 0, running: 0, queued: 0, paused: 0, done: 0 }
  for (const { brief, section } of lines) {
    statuses[brief.status] = (statuses[brief.status] ?? 0) + 1
    counted[section] += 1
  }
  return { sections: counted, statuses }
}
