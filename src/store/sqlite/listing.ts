/**
 * Lists of journals, from the summary rows or from the smaller table rows. Table rows are a copy:
 * where they cannot be read or believed, the summaries are used. Journals of the current directory come first.
 */
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Brief } from '../../core/loop/summary.ts'
import type { Summary } from '../../core/summary.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Choice, Filter, Listed } from '../contract.ts'
import { isStoreError } from '../failures.ts'
import { type Database, snapshot, sql } from './database.ts'
import { areNoMembers, get, type Lists, overlap, parse, type Row, rowWith } from './head.ts'

/**
 * What a line of `loop status` shows of each loop, in two small tables: `brief` has what changes, `about` the work tree
 * and the first words of the prompt. So the status of a thousand loops reads a tenth of the bytes of their summaries.
 * Triggers keep both tables, so they are right whichever version of loop writes a summary. Each text is stored twice,
 * to detect damage without a checksum; where both differ, the summary is read (store/sqlite/head).
 */

/** Are there as many table rows as summaries, and as many open ones? */
function areComplete(db: DatabaseSync): boolean {
  const same = (some: string) =>
    `(select count(*) from brief ${some}) = (select count(*) from summary ${some})`
  const row = db.prepare(`select ${same('')} and ${same('where open = 1')} as same`).get()
  return row?.['same'] === 1
}

const briefColumns = `brief.loop,
  iif(line = copy and words = again, '[' || line || ',' || words || ']', null) as texts`

/** Null where a text is missing, its copies differ, or it belongs to another loop or to a group. */
function readBrief(row: Record<string, unknown>): Brief | null {
  if (row['texts'] === null) return null
  const [values, about] = JSON.parse(String(row['texts']))
  // Journals of other kinds have no iterations.
  if (values[0] !== row['loop'] || about[0] !== row['loop'] || values[2] === null) return null
  // Spelled out in the order of briefFields: a loop over the fields takes six times as long.
  return {
    id: values[0],
    status: values[1],
    iteration: values[2],
    maxIterations: values[3],
    costUsd: values[4],
    costEstimated: values[5],
    promise: values[6],
    agent: values[7],
    createdAt: values[8],
    endedAt: values[9],
    activeMs: values[10],
    activeSince: values[11],
    session: values[12] ?? undefined,
    costIncomplete: values[13],
    cwd: about[1],
    prompt: about[2] ?? '',
  }
}

export function listsIn(database: Database): Lists {
  const list = (choice: Choice) => {
    try {
      return chosen(database, choice, whole)
    } catch (error) {
      if (!isStoreError(error) || choice.members) throw error
      // The table of groups cannot be read: list members like all others.
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

/** Which columns are read for each journal, and from which tables; `ofTree`: the tables to find those of one tree. */
type Form<T extends Brief> = {
  columns: string
  from: string
  open(database: Database): string
  ofTree: string
  ended: string
  /** For large rows: ended journals are found by indexes alone, then their rows read one by one. */
  fetch?(database: Database, id: string): Row | undefined
  parse(database: Database, row: Row): Result<T>
}

/**
 * Whole summaries. A row above 1 kB overflows its page, and SQLite reads the overflow pages of every row that it
 * compares on its way to the one it seeks. So many rows are scanned rather than sought, and ended journals are found
 * by indexes alone.
 */
export const whole: Form<Summary> = {
  columns: 'summary.*',
  from: 'summary',
  ofTree: 'about cross join summary using (loop)',
  open: database => (areManyOpen(database) ? '+open = 1' : 'open = 1'),
  ended: 'loop not in (select loop from summary where open = 1)',
  fetch: rowWith,
  parse,
}

/** Few are few however many have ended: these are counted only if they matter. */
function areManyOpen(database: Database): boolean {
  const text = `select open > 16 and open > (select count(*) from summary) / 16 as many
    from (select count(*) as open from summary where open = 1)`
  return sql(database, text).get()?.['many'] === 1
}

/** Only what a line of a table shows. */
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
  const look = { database, form, near, rows: members ? 'true' : areNoMembers }
  const found =
    'all' in choice
      ? newest({ ...look, filter: choice.all })
      : current({ ...look, filter: { limit: choice.current } })
  if (near === undefined) return found
  const isNear = ({ cwd }: Brief) => overlap(cwd, near)
  const others = (one: T) => !isNear(one)
  return { ...found, summaries: [...found.summaries.filter(isNear), ...found.summaries.filter(others)] }
}

/** `rows`: an SQL condition that limits the list; `ended`: only journals that have ended. */
type ListQuery<T extends Brief> = {
  database: Database
  rows: string
  form: Form<T>
  filter: Filter
  near: string | undefined
  ended?: true
}

function current<T extends Brief>(look: ListQuery<T>): Listed<T> {
  const { database, form } = look
  // Sorted here and not by SQLite, which would sort whole rows.
  const open = `select ${form.columns} from ${form.from} where ${form.open(database)} and ${look.rows}`
  // In one snapshot: a loop that ends between two reads would be in both lists.
  const [first, second] = snapshot(database, () => [
    collect({ ...look, filter: {} }, sql(database, open).all()),
    look.filter.limit === 0 ? nothing<T>() : newest({ ...look, ended: true }),
  ])
  return both({ ...first, summaries: first.summaries.toSorted(byAge) }, second)
}

/** With a limit, journals of the current directory take precedence over newer ones of others. */
function newest<T extends Brief>(look: ListQuery<T>): Listed<T> {
  const { limit } = look.filter
  const first = limit === undefined ? nothing<T>() : ofTrees(look, limit)
  if (first.summaries.length === limit) return first
  const known = new Set([...first.summaries.map(({ id }) => id), ...first.damaged])
  const rest = limit === undefined ? {} : { limit: limit - first.summaries.length }
  const rows = select(look, { from: look.form.from, order: 'created_at desc, loop desc' })
  return both(first, collect({ ...look, filter: { ...look.filter, ...rest } }, rows(), known))
}

/** The journals of a directory and those above it. If they cannot be found, they only lose their precedence. */
function ofTrees<T extends Brief>(look: ListQuery<T>, limit: number): Listed<T> {
  const { form, near } = look
  if (near === undefined) return nothing()
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

/** A directory and all directories above it. */
function lineage(directory: string): string[] {
  const above = dirname(directory)
  return above === directory ? [directory] : [directory, ...lineage(above)]
}

/** A query for the rows that pass the filter; with `tree`, only those of the tree it is called with. */
function select<T extends Brief>(
  { database, form, filter, rows, ended }: ListQuery<T>,
  { from, tree, order }: { from: string; tree?: true; order: string },
): (tree?: string) => Iterable<Row> {
  // A condition on the status only if needed: all others are answered by indexes alone.
  const fetch = ended && !tree ? form.fetch : undefined
  const text = `select ${fetch ? 'loop' : form.columns} from ${from}
     where ${tree ? 'tree = ? and ' : ''}created_at >= ?
       ${filter.status ? 'and status in (select value from json_each(?))' : ''}
       and ${rows} ${ended ? `and ${form.ended}` : ''} order by ${order}`
  const values = [filter.since ?? 0, ...(filter.status ? [JSON.stringify(filter.status)] : [])]
  return of => {
    const found = sql(database, text).iterate(...(of === undefined ? values : [of, ...values]))
    return fetch ? fetched(found, id => fetch(database, id)) : found
  }
}

function* fetched(rows: Iterable<Row>, read: (id: string) => Row | undefined): Iterable<Row> {
  for (const { loop } of rows) {
    const row = read(String(loop))
    if (row) yield row
  }
}

function touched(database: Database, since: number): Listed {
  // The number of the newest event is in `summary` too; `changes` is smaller.
  const text = `select * from summary where open = 1 or loop in (
      select events.loop from changes as head
        cross join events on events.loop = head.id and events.seq = head.seq where events.at >= ?
    ) order by created_at desc, loop desc`
  return collect(everything(database), sql(database, text).iterate(since))
}

function everything(database: Database): ListQuery<Summary> {
  return { database, form: whole, filter: {}, rows: 'true', near: undefined }
}

function membersOf(database: Database, groups: readonly string[]): Listed {
  if (groups.length === 0) return nothing()
  // Often there are thousands of loops and no group: one query then answers for all.
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
    // The table is damaged: use the summaries.
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
  const own = first(areNoMembers)
  for (const place of lineage(directory)) {
    const row = own.get(place) ?? first('true').get(place)
    if (row) return groupOf(database, String(row['loop']))
  }
  return null
}

/** The group of a member, else the journal itself: in a working copy there are only members. */
function groupOf(database: Database, id: string): string {
  const row = sql(database, 'select group_id as id from journals where id = ?').get(id)
  return String(row?.['id'] ?? id)
}

/** Newest first; at the same time by id, as the database sorts them. */
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
  { database, form, filter }: ListQuery<T>,
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
