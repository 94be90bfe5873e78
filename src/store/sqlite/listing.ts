/**
 * Lists of journals, from the summary rows or from their short lines (store/sqlite/table-row). The lines are a copy:
 * where they cannot be read or believed, the summaries are read.
 */
import type { Brief, Summary } from '../../core/loop/summary.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Choice, Filter, Heads, Listed } from '../contract.ts'
import { isStoreError } from '../failures.ts'
import { type Database, snapshot, sql } from './database.ts'
import { get, parse, type Row } from './head.ts'
import { areComplete, briefColumns, readBrief } from './table-row.ts'

export function listsIn(database: Database): Pick<Heads, 'list' | 'briefs'> {
  return {
    list: choice => chosen(database, choice, whole),
    briefs(choice) {
      try {
        const found = chosen(database, choice, brief(database))
        if (found.damaged.length === 0) return found
      } catch (error) {
        if (!isStoreError(error)) throw error
      }
      return chosen(database, choice, whole)
    },
  }
}

/** How much of each is read. */
type Form<T extends Brief> = {
  from: string
  open(database: Database): string
  ended: string
  parse(database: Database, row: Row): Result<T>
}

/**
 * A row above 1 kB overflows its page, and SQLite reads that overflow at every comparison on the way to a row. So many
 * rows are scanned instead of sought one by one, and the newest that have ended are found in the indexes alone.
 */
export const whole: Form<Summary> = {
  from: '* from summary',
  open: database => (areManyOpen(database) ? '+open = 1' : 'open = 1'),
  ended: `loop in (select loop from summary where loop not in (select loop from summary where open = 1)
    order by created_at desc, loop desc limit ?)`,
  parse,
}

function areManyOpen(database: Database): boolean {
  const counts = 'select count(*) > (select count(*) from summary) / 16 as many from summary where open = 1'
  return sql(database, counts).get()?.['many'] === 1
}

/** As much as a line of a table needs. */
export function brief(database: Database): Form<Brief> {
  if (!areComplete(database.db)) return whole
  return {
    from: `${briefColumns} from brief`,
    open: () => 'open = 1',
    ended: 'open = 0 and ? > 0',
    parse: parseBrief,
  }
}

function parseBrief(database: Database, row: Row): Result<Brief> {
  const line = readBrief(row)
  return line ? ok(line) : get(database, String(row['loop']))
}

export function chosen<T extends Brief>(database: Database, choice: Choice, form: Form<T>): Listed<T> {
  return 'all' in choice
    ? listed({ database, form, filter: choice.all })
    : current({ database, form, filter: {} }, choice.current)
}

type Look<T extends Brief> = { database: Database; form: Form<T>; filter: Filter }

function listed<T extends Brief>(look: Look<T>): Listed<T> {
  const { database, form, filter } = look
  const text = `select ${form.from} where created_at >= ? and (? is null or status = ?)
     order by created_at desc, loop desc`
  const status = filter.status ?? null
  return collect(look, sql(database, text).iterate(filter.since ?? 0, status, status))
}

function current<T extends Brief>(look: Look<T>, ended: number): Listed<T> {
  const { database, form } = look
  // In order of age only once they are small: SQLite would sort them whole.
  const open = `select ${form.from} where ${form.open(database)}`
  const done = `select ${form.from} where ${form.ended} order by created_at desc, loop desc limit ?`
  // Of one moment: a loop that ends in between would be in both.
  const [first, second] = snapshot(database, () => [
    collect(look, sql(database, open).all()),
    collect(look, sql(database, done).iterate(ended, ended)),
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

function collect<T extends Brief>({ database, form, filter }: Look<T>, rows: Iterable<Row>): Listed<T> {
  const found: Listed<T> = { summaries: [], damaged: [] }
  for (const row of rows) {
    const summary = form.parse(database, row)
    if (!summary.ok) found.damaged.push(String(row['loop']))
    else if (filter.agent === undefined || summary.value.agent === filter.agent)
      found.summaries.push(summary.value)
    if (found.summaries.length === filter.limit) break
  }
  return found
}
