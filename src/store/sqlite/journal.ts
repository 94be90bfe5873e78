/**
 * Reads journals: one chain of checksummed rows for each. A checksum covers the row and the previous checksum, so that
 * a changed, missing or moved row is detected; damage affects that journal only. No schema is needed here: events were
 * validated before they were written (engine/recorded).
 */

import { fail, ok, type Result } from '../../model/failure.ts'
import type { Recorded } from '../../model/loop/event.ts'
import { sumOf } from '../files/checksum.ts'
import { type Database, snapshot, sql } from './database.ts'

/** All events of a journal, each checked against the previous one. */
export function read(database: Database, loop: string): Result<Recorded[]> {
  const { rows, known } = snapshot(database, () => ({
    rows: sql(database, 'select * from events where loop = ? order by seq').all(loop),
    known: sql(database, 'select seq from summary where loop = ?').get(loop),
  }))
  const events: Recorded[] = []
  let sum = ''
  for (const row of rows) {
    const seq = events.length + 1
    const event = parseRow(row, sum)
    if (!event || event.seq !== seq) return damaged(loop, seq)
    sum = String(row['sum'])
    events.push(event)
  }
  if (known && known['seq'] !== events.length) return damaged(loop, events.length + 1)
  return ok(events)
}

/** The events that follow the previous one, and the numbers of those that are damaged or missing. */
export function survey(database: Database, loop: string): { events: Recorded[]; bad: number[] } {
  const { rows, known } = snapshot(database, () => ({
    rows: sql(database, 'select * from events where loop = ? order by seq').all(loop),
    known: sql(database, 'select seq from summary where loop = ?').get(loop),
  }))
  const found = new Map(rows.map(row => [Number(row['seq']), row]))
  // Not the largest number: a damaged one can be anything. The count of rows and the summary tell how many there are.
  const last = Math.max(Number(known?.['seq'] ?? 0), rows.length)
  const events: Recorded[] = []
  const bad: number[] = []
  for (let seq = 1; seq <= last; seq += 1) {
    const row = found.get(seq)
    const before = seq === 1 ? '' : String(found.get(seq - 1)?.['sum'])
    const event = row ? parseRow(row, before) : null
    if (event) events.push(event)
    else bad.push(seq)
  }
  return { events, bad }
}

/** The number of the last event, readable or not. */
export function lastSeq(database: Database, loop: string): number {
  return Number(sql(database, 'select max(seq) as seq from events where loop = ?').get(loop)?.['seq'] ?? 0)
}

/** The events after number `after`, up to which the caller has read and checked them. */
export function readAfter(
  database: Database,
  loop: string,
  { after, most = -2 }: { after: number; most?: number | undefined },
): Result<Recorded[]> {
  const text = 'select * from events where loop = ? and seq >= ? order by seq limit ?'
  // The previous row is read too, for its checksum. A negative limit means no limit.
  const rows = sql(database, text).all(loop, after, after === 0 ? most : most + 1)
  let sum = after === 0 ? '' : String(rows.shift()?.['sum'])
  const events: Recorded[] = []
  for (const row of rows) {
    const event = parseRow(row, sum)
    if (!event) return damaged(loop, after + events.length + 1)
    sum = String(row['sum'])
    events.push(event)
  }
  return ok(events)
}

export function ofKinds(
  database: Database,
  loop: string,
  { kinds, after }: { kinds: readonly string[]; after: number },
): Pick<Recorded, 'seq' | 'data'>[] {
  const text = `select seq, data from events where loop = ? and seq > ?
    and kind in (select value from json_each(?)) order by seq`
  return sql(database, text)
    .all(loop, after, JSON.stringify(kinds))
    .map(row => ({ seq: Number(row['seq']), data: JSON.parse(String(row['data'])) }))
}

/** The ids of all journals that have events or a summary. */
export function journalIds(database: Database): string[] {
  return sql(database, 'select loop from summary union select loop from events order by 1')
    .all()
    .map(row => String(row['loop']))
}

export function membersOf(database: Database, group: string): string[] {
  return sql(database, 'select id from journals where group_id = ? order by id')
    .all(group)
    .map(row => String(row['id']))
}

type Row = Record<string, unknown>

function parseRow(row: Row, before: string): Recorded | null {
  const { loop, seq, v, at, epoch, cause, kind, data } = row
  const text = String(data)
  if (rowSum(before, { ...row, data: text }) !== row['sum']) return null
  return { v, seq, at, loop, epoch, cause, kind, data: JSON.parse(text) } as Recorded
}

/** The checksum of a row; `data` is JSON text. */
export function rowSum(before: string, row: Row): string {
  const { v, seq, at, loop, epoch, cause, kind, data } = row
  return sumOf(JSON.stringify([before, v, seq, at, loop, epoch, cause, kind, data]))
}

function damaged(loop: string, seq: number): Result<never> {
  return fail('store-damaged', { kind: 'journal-damaged', id: loop, seq })
}
