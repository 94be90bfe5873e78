/**
 * The summary rows: one for each journal, written together with its events, so that showing a journal needs no fold.
 * A row with a wrong checksum is rebuilt from the journal; if that is damaged too, the failure says so.
 */
import { summaryFrom } from '../../core/folds.ts'
import { type Head, shareTree } from '../../core/head.ts'
import { isOpen, type Status } from '../../core/loop/summary.ts'
import type { Summary } from '../../core/summary.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Heads } from '../contract.ts'
import { unknownLoop } from '../failures.ts'
import { sumOf } from '../files/checksum.ts'
import { type Database, snapshot, sql, transaction } from './database.ts'
import { read } from './journal.ts'

export type Row = Record<string, unknown>

export type Lists = Pick<Heads, 'list' | 'briefs' | 'members' | 'touched' | 'newestAt'>

/** Everything about single heads; lists are in store/sqlite/listing. */
export function headsIn(database: Database): Omit<Heads, keyof Lists> {
  return {
    find(name) {
      const row = rowOf(database, name)
      return row.ok ? parse(database, row.value) : row
    },
    findId(name) {
      const row = rowOf(database, name)
      return row.ok ? ok(String(row.value['loop'])) : row
    },
    get: id => get(database, id),
    status(id) {
      const row = sql(database, 'select status from summary where loop = ?').get(id)
      return row ? (row['status'] as Status) : null
    },
    open: also => open(database, also),
    count: kind => count(database, kind),
    holder: (cwd, asking) => inTheWay(database, { cwd, asking, blocks: holds }),
    ahead: queued =>
      inTheWay(database, {
        cwd: queued.cwd,
        asking: queued,
        blocks: head => holds(head) || isToRunHook(head),
      }),
    audit: id => snapshot(database, () => audit(database, id)),
    rebuild: id => transaction(database, () => rebuild(database, id)),
    markDamaged: summary => markDamaged(database, summary),
  }
}

/** Records that a journal is damaged: it is not driven any more, and its tree is free. */
export function markDamaged(database: Database, summary: Head): void {
  const { unfinished: _, ...known } = summary
  const ended = { endedAt: summary.endedAt ?? Date.now(), holdsTree: false, needsSlot: false }
  const why = { status: 'crashed', reason: 'store-damaged', detail: '' } as const
  writeHead(database, { ...known, ...ended, ...why })
}

function rowOf(database: Database, name: string): Result<Row> {
  if (name === '') return unknownLoop(name)
  const rows =
    name === '@last'
      ? sql(database, `select * from summary where ${areNoMembers} order by created_at desc limit 1`).all()
      : sql(database, 'select * from summary where loop >= ? and loop < ? limit 9').all(name, `${name}~`)
  const [only, second] = rows
  if (!only) return unknownLoop(name)
  if (second) {
    const ids = rows.map(row => String(row['loop']))
    return fail('unknown-loop', { kind: 'ambiguous-loop', name, ids })
  }
  return ok(only)
}

/**
 * The SQL condition for journals that are no members. A member whose group does not exist any more counts as none.
 */
export const areNoMembers = `loop not in (select id from journals as one where group_id is not null
  and exists (select 1 from journals where id = one.group_id))`

export function get(database: Database, id: string): Result<Summary> {
  const row = rowWith(database, id)
  return row ? parse(database, row) : unknownLoop(id)
}

export function rowWith(database: Database, id: string): Row | undefined {
  return sql(database, 'select * from summary where loop = ?').get(id)
}

function open(database: Database, also: Status | undefined): ReturnType<Heads['open']> {
  const text = 'select loop, seq, status from summary where open = 1'
  const rows = also ? sql(database, `${text} or status = ?`).all(also) : sql(database, text).all()
  return rows.map(row => ({
    id: String(row['loop']),
    seq: Number(row['seq']),
    status: row['status'] as Status,
  }))
}

function count(database: Database, kind: string | undefined): Map<Status, number> {
  const text = (of: string) => `select status, count(*) as n from summary ${of} group by status`
  const rows =
    kind === undefined
      ? sql(database, text('')).all()
      : sql(database, text('where loop in (select id from journals where kind = ?)')).all(kind)
  return new Map(rows.map(row => [row['status'] as Status, Number(row['n'])]))
}

type Asker = Parameters<Heads['holder']>[1]

type TreeClaim = { cwd: string; asking: Asker; blocks(head: Head): boolean }

function holds({ holdsTree }: Head): boolean {
  return holdsTree
}

/** Has it ended, but a hook is still to be run by loopd? Not in the foreground: its process may have died. */
function isToRunHook({ unfinished, background }: Head): boolean {
  return unfinished === true && background !== null
}

function inTheWay(database: Database, { cwd, asking, blocks }: TreeClaim): Head | null {
  const rows = sql(database, 'select loop, cwd from summary where open = 1').all()
  for (const row of rows) {
    if (row['loop'] === asking?.id || !overlap(String(row['cwd']), cwd)) continue
    const head = get(database, String(row['loop']))
    if (!head.ok || !blocks(head.value)) continue
    if (!asking || !shareTree(head.value, asking)) return head.value
  }
  return null
}

/** Are they the same directory, or is one inside the other? */
export function overlap(one: string, other: string): boolean {
  const inside = (inner: string, outer: string) => `${inner}/`.startsWith(outer === '/' ? outer : `${outer}/`)
  return inside(one, other) || inside(other, one)
}

/** The journal that holds an overlapping tree, if this write would make the head take its tree; else null. */
export function holderBefore(database: Database, head: Head): Head | null {
  if (!head.holdsTree) return null
  const before = `select iif(json_valid(body), body ->> '$.holdsTree', 0) as held from summary where loop = ?`
  if (sql(database, before).get(head.id)?.['held'] === 1) return null
  return inTheWay(database, { cwd: head.cwd, asking: head, blocks: holds })
}

function audit(database: Database, id: string): ReturnType<Heads['audit']> {
  const summary = summaryOfJournal(database, id)
  if (!summary.ok) return summary
  const row = rowWith(database, id)
  const stored = row ? sound(row) : null
  return ok({ summary: summary.value, isTrue: stored !== null && sayTheSame(stored, summary.value) })
}

/** Compares whole rows of the same shape; of different shapes only the fields that both have. */
function sayTheSame(stored: Summary, fresh: Summary): boolean {
  if (stored.shape === fresh.shape) return JSON.stringify(stored) === JSON.stringify(fresh)
  const common = Object.keys(stored).filter(key => key !== 'shape' && Object.hasOwn(fresh, key))
  const said = (of: Summary) => JSON.stringify(common.map(key => of[key as keyof Summary]))
  return said(stored) === said(fresh)
}

/** The caller has begun a transaction. */
export function rebuild(database: Database, id: string): Result<Summary> {
  const summary = summaryOfJournal(database, id)
  if (!summary.ok) return summary
  writeHead(database, summary.value)
  return summary
}

function summaryOfJournal(database: Database, id: string): Result<Summary> {
  const events = read(database, id)
  if (!events.ok) return events
  const summary = summaryFrom(database.folds, events.value)
  if (summary) return ok(summary)
  return events.value.length === 0 ? unknownLoop(id) : fail('newer-journal', { kind: 'newer-journal', id })
}

export function writeHead(database: Database, summary: Head): void {
  const body = JSON.stringify(summary)
  sql(database, 'insert or replace into summary values (?, ?, ?, ?, ?, ?, ?, ?)').run(
    summary.id,
    summary.seq,
    summary.status,
    openOf(summary),
    summary.cwd,
    summary.createdAt,
    body,
    sumOf(body),
  )
}

function openOf({ status, holdsTree, unfinished }: Head): 0 | 1 {
  return isOpen(status) || holdsTree || unfinished ? 1 : 0
}

export function parse(database: Database, row: Row): Result<Summary> {
  const stored = sound(row)
  return stored ? ok(stored) : summaryOfJournal(database, String(row['loop']))
}

/** The stored body, if its checksum is right and the columns for queries agree with it; else null. */
function sound(row: Row): Summary | null {
  const body = String(row['body'])
  if (sumOf(body) !== row['sum']) return null
  const summary = JSON.parse(body) as Summary
  const same =
    row['loop'] === summary.id &&
    row['seq'] === summary.seq &&
    row['status'] === summary.status &&
    row['open'] === openOf(summary) &&
    row['cwd'] === summary.cwd &&
    row['created_at'] === summary.createdAt
  return same ? summary : null
}
