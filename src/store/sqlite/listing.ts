/**
 * Lists of journals, from the summary rows or from their short lines (store/sqlite/table-row). The lines are a copy:
 * where they cannot be read or believed, the summaries are read. Who stands in a directory gets its journals first.
 */
import { dirname } from 'node:path'
import type { Brief, Summary } from '../../core/loop/summary.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Choice, Filter, Listed } from '../contract.ts'
import { isStoreError } from '../failures.ts'
import { type Database, snapshot, sql } from './database.ts'
import { areNoMembers, get, type Lists, overlap, parse, type Row } from './head.ts'
import { hasTable } from './migrations.ts'
import { areComplete, briefColumns, readBrief } from './table-row.ts'

export function listsIn(database: Database): Lists {
  const list = (choice: Choice) => {
    try {
      return chosen(database, choice, whole)
    } catch (error) {
      if (!isStoreError(error) || choice.members) throw error
      // Where it cannot be said which are members, they are rows of their own.
      return chosen(database, { ...choice, members: true }, whole)
    }
  }
  return {
    list,
    briefs(choice) {
      try {
        const found = chosen(database, choice, brief(database))
        if (found.damaged.length === 0) return found
      } catch (error) {
        if (!isStoreError(error)) throw error
      }
      return list(choice)
    },
    members: groups => membersOf(database, groups),
    touched: since => touched(database, since),
    newestAt: directory => newestAt(database, directory),
  }
}

/** How much of each is read, and from where; `ofTree` is how those of one tree are found. */
type Form<T extends Brief> = {
  columns: string
  from: string
  open(database: Database): string
  ofTree: string
  ended: string
  parse(database: Database, row: Row): Result<T>
}

/**
 * A row above 1 kB overflows its page, and SQLite reads that overflow at every comparison on the way to a row. So many
 * rows are scanned instead of sought one by one, and those that have ended are told by the indexes alone.
 */
export const whole: Form<Summary> = {
  columns: 'summary.*',
  from: 'summary',
  ofTree: 'about cross join summary using (loop)',
  open: database => (areManyOpen(database) ? '+open = 1' : 'open = 1'),
  ended: 'loop not in (select loop from summary where open = 1)',
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
    open: () => 'open = 1',
    columns: briefColumns,
    from: 'brief left join about using (loop)',
    ofTree: 'about cross join brief using (loop)',
    ended: 'open = 0',
    parse: parseBrief,
  }
}

function parseBrief(database: Database, row: Row): Result<Brief> {
  const line = readBrief(row)
  return line ? ok(line) : get(database, String(row['loop']))
}

export function chosen<T extends Brief>(database: Database, choice: Choice, form: Form<T>): Listed<T> {
  const { near, members } = choice
  const look = { database, form, near, rows: members ? 'true' : areNoMembers(database) }
  const found =
    'all' in choice
      ? newest({ ...look, filter: choice.all })
      : current({ ...look, filter: { limit: choice.current } })
  if (near === undefined) return found
  const isNear = ({ cwd }: Brief) => overlap(cwd, near)
  const others = (one: T) => !isNear(one)
  return { ...found, summaries: [...found.summaries.filter(isNear), ...found.summaries.filter(others)] }
}

/** `rows`: the condition that says which are among them; `ended`: only those that have. */
type Look<T extends Brief> = {
  database: Database
  rows: string
  form: Form<T>
  filter: Filter
  near: string | undefined
  ended?: true
}

function current<T extends Brief>(look: Look<T>): Listed<T> {
  const { database, form } = look
  // In order of age only once they are small: SQLite would sort them whole.
  const open = `select ${form.columns} from ${form.from} where ${form.open(database)} and ${look.rows}`
  // Of one moment: a loop that ends in between would be in both.
  const [first, second] = snapshot(database, () => [
    collect({ ...look, filter: {} }, sql(database, open).all()),
    look.filter.limit === 0 ? nothing<T>() : newest({ ...look, ended: true }),
  ])
  return both({ ...first, summaries: first.summaries.toSorted(byAge) }, second)
}

/** Where not all are wanted, those of the directory one stands in go before newer ones of others. */
function newest<T extends Brief>(look: Look<T>): Listed<T> {
  const { limit } = look.filter
  const first = limit === undefined ? nothing<T>() : ofTrees(look, limit)
  if (first.summaries.length === limit) return first
  const known = new Set([...first.summaries.map(({ id }) => id), ...first.damaged])
  const rest = limit === undefined ? {} : { limit: limit - first.summaries.length }
  const rows = select(look, { from: look.form.from, order: 'created_at desc, loop desc' })
  return both(first, collect({ ...look, filter: { ...look.filter, ...rest } }, rows(), known))
}

/** Of the directory itself and of those above it. A courtesy: where it cannot be had, they come in their turn. */
function ofTrees<T extends Brief>(look: Look<T>, limit: number): Listed<T> {
  const { database, form, near } = look
  if (near === undefined || !hasTable(database.db, 'about')) return nothing()
  try {
    const rows = select(look, { from: form.ofTree, tree: true, order: 'begun desc, loop desc' })
    const found = lineage(near).map(tree => collect(look, rows(tree)))
    const { summaries, damaged } = found.reduce(both, nothing<T>())
    return { summaries: summaries.toSorted(byAge).slice(0, limit), damaged }
  } catch (error) {
    if (!isStoreError(error)) throw error
    return nothing()
  }
}

/** A directory and every one above it. */
function lineage(directory: string): string[] {
  const above = dirname(directory)
  return above === directory ? [directory] : [directory, ...lineage(above)]
}

/** The rows that the filter lets through; with `tree`, those of the tree given. */
function select<T extends Brief>(
  { database, form, filter, rows, ended }: Look<T>,
  { from, tree, order }: { from: string; tree?: true; order: string },
): (tree?: string) => Iterable<Row> {
  const text = `select ${form.columns} from ${from}
     where ${tree ? 'tree = ? and ' : ''}created_at >= ? and (? is null or status in (select value from json_each(?)))
       and ${rows} ${ended ? `and ${form.ended}` : ''} order by ${order}`
  const status = filter.status ? JSON.stringify(filter.status) : null
  const values = [filter.since ?? 0, status, status]
  return of => sql(database, text).iterate(...(of === undefined ? values : [of, ...values]))
}

function touched(database: Database, since: number): Listed {
  // The small table of the two that know the number of the newest event of each.
  const heads = hasTable(database.db, 'changes') ? 'changes' : '(select loop as id, seq from summary)'
  const text = `select * from summary where open = 1 or loop in (
      select events.loop from ${heads} as head
        cross join events on events.loop = head.id and events.seq = head.seq where events.at >= ?
    ) order by created_at desc, loop desc`
  return collect(everything(database), sql(database, text).iterate(since))
}

function everything(database: Database): Look<Summary> {
  return { database, form: whole, filter: {}, rows: 'true', near: undefined }
}

function membersOf(database: Database, groups: readonly string[]): Listed {
  if (groups.length === 0 || !hasTable(database.db, 'journals')) return nothing()
  // There may be ten thousand loops to be asked for, and mostly no group among them.
  const any = 'select 1 from journals where group_id is not null limit 1'
  if (!sql(database, any).get()) return nothing()
  const text = `select summary.* from journals cross join summary on summary.loop = journals.id
    where group_id is not null and group_id in (select value from json_each(?)) order by created_at, loop`
  return collect(everything(database), sql(database, text).iterate(JSON.stringify(groups)))
}

function newestAt(database: Database, directory: string): string | null {
  try {
    return newestIn(database, directory, { from: 'about', tree: 'tree', begun: 'begun' })
  } catch (error) {
    if (!isStoreError(error)) throw error
    // A store of before, or a table that is damaged: the summaries are enough.
    return newestIn(database, directory, { from: 'summary', tree: 'cwd', begun: 'created_at' })
  }
}

type Named = { from: string; tree: string; begun: string }

function newestIn(database: Database, directory: string, { from, tree, begun }: Named): string | null {
  const first = (rows: string) =>
    sql(
      database,
      `select loop from ${from} where ${tree} = ? and ${rows} order by ${begun} desc, loop desc limit 1`,
    )
  const own = first(areNoMembers(database))
  for (const place of lineage(directory)) {
    const row = own.get(place) ?? first('true').get(place)
    if (row) return groupOf(database, String(row['loop']))
  }
  return null
}

/** In a working copy there are only members. */
function groupOf(database: Database, id: string): string {
  if (!hasTable(database.db, 'journals')) return id
  const row = sql(database, 'select group_id as id from journals where id = ?').get(id)
  return String(row?.['id'] ?? id)
}

/** The newest first; of the same moment, as the database has them. */
function byAge(a: Brief, b: Brief): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
}

function nothing<T extends Brief>(): Listed<T> {
  return { summaries: [], damaged: [] }
}

function both<T extends Brief>(one: Listed<T>, other: Listed<T>): Listed<T> {
  return {
    summaries: [...one.summaries, ...other.summaries],
    damaged: [...one.damaged, ...other.damaged],
  }
}

function collect<T extends Brief>(
  { database, form, filter }: Look<T>,
  rows: Iterable<Row>,
  known: ReadonlySet<string> = new Set(),
): Listed<T> {
  const found = nothing<T>()
  for (const row of rows) {
    if (known.has(String(row['loop']))) continue
    const summary = form.parse(database, row)
    if (!summary.ok) found.damaged.push(String(row['loop']))
    else if (filter.agent === undefined || summary.value.agent === filter.agent)
      found.summaries.push(summary.value)
    if (found.summaries.length === filter.limit) break
  }
  return found
}
