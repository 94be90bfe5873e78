/**
 * Reading the summary rows: what `status` and `list` show without folding a journal.
 * A row whose checksum does not fit is rebuilt from the journal; where that is damaged too, it is said so.
 */
import { fold } from '../../core/loop/evolve.ts'
import type { State } from '../../core/loop/state.ts'
import { type Brief, isOpen, type Status, type Summary, summarize } from '../../core/loop/summary.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { sumOf } from '../files/checksum.ts'
import { isOfDatabase, type Store, snapshot, sql } from './database.ts'
import { read } from './journal.ts'
import { areComplete, briefColumns, readBrief } from './table-row.ts'

type Row = Record<string, unknown>

/** How much of each loop is read. */
export type Form<T extends Brief> = {
  from: string
  ended: string
  parse(store: Store, row: Row): Result<T>
}

// The plus keeps SQLite from the index on `open`: by age, ten rows are enough to find ten.
export const whole: Form<Summary> = { from: '* from summary', ended: '+open = 0', parse }

/**
 * What a table shows: the short lines where all of them can be read and believed, else the summaries. The lines are
 * a copy: damage to them alone keeps nobody from being told.
 */
export function briefly(
  store: Store,
  choose: <T extends Brief>(store: Store, form: Form<T>) => Listed<T>,
): Listed<Brief> {
  try {
    const listed = choose(store, brief(store))
    if (listed.damaged.length === 0) return listed
  } catch (error) {
    if (!isOfDatabase(error)) throw error
  }
  return choose(store, whole)
}

/** As much as a line of a table needs. */
export function brief(store: Store): Form<Brief> {
  if (!areComplete(store.db)) return whole
  return { from: `${briefColumns} from brief`, ended: 'open = 0', parse: parseBrief }
}

export type Listed<T extends Brief = Summary> = { summaries: T[]; damaged: string[] }

export type Filter = { status?: Status; agent?: string; since?: number; limit?: number }

export function list<T extends Brief>(store: Store, filter: Filter, form: Form<T>): Listed<T> {
  const rows = sql(
    store,
    `select ${form.from} where created_at >= ? and (? is null or status = ?)
     order by created_at desc, loop desc`,
  ).iterate(filter.since ?? 0, filter.status ?? null, filter.status ?? null)
  return collect({ store, form, filter }, rows)
}

/** Every loop that has not ended, then the newest ended ones. */
export function current<T extends Brief>(store: Store, ended: number, form: Form<T>): Listed<T> {
  // In order of age only once they are small: SQLite would sort them whole.
  const open = `select ${form.from} where open = 1`
  const done = `select ${form.from} where ${form.ended} order by created_at desc, loop desc limit ?`
  const look = { store, form, filter: {} }
  // Of one moment: a loop that ends in between would be in both.
  const [first, second] = snapshot(store, () => [
    collect(look, sql(store, open).all()),
    collect(look, sql(store, done).iterate(ended)),
  ])
  return {
    summaries: [...first.summaries.toSorted(byAge), ...second.summaries],
    damaged: [...first.damaged, ...second.damaged],
  }
}

/** The newest first; of the same moment, as the database has them. */
function byAge(a: Brief, b: Brief): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
}

/** One loop by its id, a unique prefix of it, or `@last`. */
export function find(store: Store, name: string): Result<Summary> {
  const row = rowOf(store, name)
  return row.ok ? parse(store, row.value) : row
}

/** The id alone, which is known however damaged the rest is. */
export function findId(store: Store, name: string): Result<string> {
  const row = rowOf(store, name)
  return row.ok ? ok(String(row.value['loop'])) : row
}

/** Whether the stored row says of the loop what its journal says. */
export function isTrue(store: Store, state: State): boolean {
  const row = sql(store, 'select * from summary where loop = ?').get(state.id)
  const stored = row ? sound(row) : null
  return stored !== null && JSON.stringify(stored) === JSON.stringify(summarize(state))
}

function rowOf(store: Store, name: string): Result<Row> {
  if (name === '') return unknown(name)
  const rows =
    name === '@last'
      ? sql(store, 'select * from summary order by created_at desc limit 1').all()
      : sql(store, 'select * from summary where loop >= ? and loop < ? limit 9').all(name, `${name}~`)
  const [only, second] = rows
  if (!only) return unknown(name)
  if (second) {
    const ids = rows.map(row => String(row['loop'])).join(', ')
    return fail('unknown-loop', `${name} stands for several loops: ${ids}. Give more letters.`)
  }
  return ok(only)
}

/** Another loop that holds this work tree, one above it or one below it. */
export function holderOf(store: Store, cwd: string, except: string | null): Summary | null {
  const open = sql(store, 'select loop, cwd from summary where open = 1').all()
  for (const row of open) {
    if (row['loop'] === except || !overlap(String(row['cwd']), cwd)) continue
    const summary = summaryOf(store, String(row['loop']))
    if (summary.ok && summary.value.holdsTree) return summary.value
  }
  return null
}

/** One is the other, or lies in it. */
function overlap(one: string, other: string): boolean {
  const inside = (inner: string, outer: string) => `${inner}/`.startsWith(outer === '/' ? outer : `${outer}/`)
  return inside(one, other) || inside(other, one)
}

export function summaryOf(store: Store, id: string): Result<Summary> {
  const row = sql(store, 'select * from summary where loop = ?').get(id)
  return row ? parse(store, row) : unknown(id)
}

/** As it stands now; no row is read whole. */
export function statusOf(store: Store, id: string): Status | null {
  const row = sql(store, 'select status from summary where loop = ?').get(id)
  return row ? (row['status'] as Status) : null
}

/** Ids and statuses of every loop that has not ended, and of those that have crashed: no row is read whole. */
export function openLoops(store: Store): { id: string; status: Status }[] {
  const rows = sql(store, "select loop, status from summary where open = 1 or status = 'crashed'").all()
  return rows.map(row => ({ id: String(row['loop']), status: row['status'] as Status }))
}

export function unknown(name: string): Result<never> {
  return fail('unknown-loop', `There is no loop ${name}. See the ones there are with: loop list`)
}

type Look<T extends Brief> = { store: Store; form: Form<T>; filter: Filter }

function collect<T extends Brief>({ store, form, filter }: Look<T>, rows: Iterable<Row>): Listed<T> {
  const listed: Listed<T> = { summaries: [], damaged: [] }
  for (const row of rows) {
    const summary = form.parse(store, row)
    if (!summary.ok) listed.damaged.push(String(row['loop']))
    else if (filter.agent === undefined || summary.value.agent === filter.agent)
      listed.summaries.push(summary.value)
    if (listed.summaries.length === filter.limit) break
  }
  return listed
}

function parseBrief(store: Store, row: Row): Result<Brief> {
  const line = readBrief(row)
  return line ? ok(line) : summaryOf(store, String(row['loop']))
}

function parse(store: Store, row: Row): Result<Summary> {
  const summary = sound(row)
  if (summary) return ok(summary)
  const events = read(store, String(row['loop']))
  return events.ok ? ok(summarize(fold(events.value))) : events
}

/** The body where its sum fits, and where the columns that queries look at say the same. */
function sound(row: Row): Summary | null {
  const body = String(row['body'])
  if (sumOf(body) !== row['sum']) return null
  const summary = JSON.parse(body) as Summary
  const open = isOpen(summary.status) || summary.holdsTree ? 1 : 0
  const same =
    row['loop'] === summary.id &&
    row['seq'] === summary.seq &&
    row['status'] === summary.status &&
    row['open'] === open &&
    row['cwd'] === summary.cwd &&
    row['created_at'] === summary.createdAt
  return same ? summary : null
}
