/**
 * What can still be read from a store whose file is damaged. Any statement on it may fail half-way; what came
 * before counts, row by row, and only where its checksum says that it is what was written.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isOfDatabase } from '../database.ts'
import { rowSum } from '../journal.ts'

type Row = Record<string, string | number | bigint | null | Uint8Array>

/** Of one loop: its rows from the first up to the first that can not be believed, and how many there were. */
export type Readable = { loop: string; rows: Row[]; known: number }

/**
 * Loop by loop, so that no more than one is held; nothing where the file can not be opened at all.
 * `hints`: ids to ask for besides those that are found in it. A row is often reached where a list breaks off.
 */
export function* readableIn(file: string, hints: readonly string[]): Generator<Readable> {
  if (!existsSync(file)) return
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: 5_000, readOnly: true })
  } catch {
    return // not even that: there is nothing to be had from it
  }
  try {
    for (const loop of new Set([...loopsIn(db), ...hints])) yield readable(db, loop)
  } finally {
    db.close()
  }
}

function loopsIn(db: DatabaseSync): string[] {
  const ways = [
    'select loop from summary',
    'select loop from summary order by loop desc',
    'select distinct loop from events',
    'select distinct loop from events order by loop desc',
  ]
  return ways.flatMap(way => rowsUntilDamage(db, way)).map(row => String(row['loop']))
}

function readable(db: DatabaseSync, loop: string): Readable {
  const rows: Row[] = []
  let sum = ''
  for (const row of rowsUntilDamage(db, 'select * from events where loop = ? order by seq', loop)) {
    const { v, seq, at, epoch, cause, kind, data } = row
    const fields = { v, seq, at, loop: row['loop'], epoch, cause, kind, text: String(data) }
    if (seq !== rows.length + 1 || rowSum(sum, fields) !== row['sum']) break
    sum = String(row['sum'])
    rows.push(row)
  }
  const [summary] = rowsUntilDamage(db, 'select seq from summary where loop = ?', loop)
  const [newest] = rowsUntilDamage(db, 'select max(seq) as seq from events where loop = ?', loop)
  const known = Math.max(rows.length, Number(summary?.['seq'] ?? 0), Number(newest?.['seq'] ?? 0))
  return { loop, rows, known }
}

function rowsUntilDamage(db: DatabaseSync, text: string, ...values: string[]): Row[] {
  const rows: Row[] = []
  try {
    for (const row of db.prepare(text).iterate(...values)) rows.push(row as Row)
  } catch (error) {
    // Damage is what is expected here; anything else is a bug.
    if (!isOfDatabase(error)) throw error
  }
  return rows
}
