/**
 * All loops and groups of the page: the first rows at once, the rest after them, each kept up to date by the feed. The
 * server decides the section of a row, and whether it needs attention.
 */
import type { RouteAnswer } from '../../src/server/api/contract.ts'
import { askLoopd } from './api.ts'
import { cell } from './cell.ts'
import { followList } from './feed.ts'

type Page = RouteAnswer<'loops'>
/** `node`: the name of a member in its group. */
export type ListRow = Page['rows'][number] & { node?: string | null }

export type LoopListing = {
  rows: ReadonlyMap<string, ListRow>
  /** The number of rows on the server, including those that are not loaded. */
  total: number
  isLoaded: boolean
  failure: string | null
}

export const listing = cell<LoopListing>({ rows: new Map(), total: 0, isLoaded: false, failure: null })

let revision: number | null = null
let loading: Promise<void> | null = null
/** Nobody scrolls through more rows than this; a search finds the others on the server. */
const mostRows = 5_000
const firstPage = '100'
const laterPages = '500'

export function startListing(): void {
  reload()
}

/** Follows the list from this revision on. */
function begin(from: number): void {
  revision = from
  followList({
    revision: () => revision,
    reached: at => {
      revision = at
    },
    hear(event, data: { of?: string } & ListRow) {
      if (event === 'row') pending.push(data)
      if (event === 'row' && pending.length === 1) window.setTimeout(take, 50)
      if (event === 'gap' && data.of === 'list') reload()
    },
  })
}

function reload(): void {
  loading ??= load().finally(() => {
    loading = null
  })
}

async function load(): Promise<void> {
  let cursor: string | undefined
  const rows = new Map<string, ListRow>()
  do {
    const query = {
      sort: 'attention' as const,
      limit: cursor === undefined ? firstPage : laterPages,
      ...(cursor && { cursor }),
    }
    const got = await askLoopd('loops', { query })
    if (!got.ok) {
      listing.update(now => ({ ...now, failure: got.message }))
      window.setTimeout(reload, 2_000)
      return
    }
    const page = got.value
    // The revision of the first page: changes during the later pages are repeated by the feed.
    if (cursor === undefined) begin(page.revision)
    for (const row of page.rows) rows.set(row.id, row)
    cursor = page.next ?? undefined
    listing.update(now => ({
      rows: new Map([...now.rows, ...rows]),
      total: page.total,
      isLoaded: true,
      failure: null,
    }))
  } while (cursor !== undefined && rows.size < mostRows)
}

const afterKeyMs = 200

/** Loads further loops that match these words, after a pause in typing. Returns a function that stops it. */
export function findFurther(words: string): () => void {
  const stop = new AbortController()
  const ask = async () => {
    const { total, rows } = listing.get()
    if (rows.size >= total) return
    const query = { search: words.slice(0, 200), limit: laterPages }
    const got = await askLoopd('loops', { query }, stop.signal)
    if (!got.ok) return
    listing.update(now => ({
      ...now,
      rows: new Map([...got.value.rows.map(row => [row.id, row] as const), ...now.rows]),
    }))
  }
  const timer = window.setTimeout(() => {
    ask().catch(() => undefined)
  }, afterKeyMs)
  return () => {
    window.clearTimeout(timer)
    stop.abort()
  }
}

/** Rows arrive in bursts: collect them for one update. */
const pending: ListRow[] = []

function take(): void {
  const changed = pending.splice(0)
  listing.update(now => {
    const rows = new Map(now.rows)
    let fresh = 0
    for (const row of changed) {
      const group = row.group === undefined ? undefined : rows.get(row.group)
      if (group) rows.set(group.id, { ...group, members: withMember(group.members ?? [], row) })
      else if (row.group === undefined) {
        if (!rows.has(row.id)) fresh += 1
        rows.set(row.id, row)
      }
    }
    return { ...now, rows, total: now.total + fresh }
  })
}

type Member = NonNullable<ListRow['members']>[number]

function withMember(members: readonly Member[], row: ListRow): Member[] {
  const known = members.some(({ id }) => id === row.id)
  const fresh = { ...row, node: row.node ?? null }
  return known
    ? members.map(one => (one.id === row.id ? { ...one, ...row, node: row.node ?? one.node } : one))
    : [...members, fresh]
}
