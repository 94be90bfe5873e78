/**
 * What can still be read from a store whose file is damaged. Any statement on it may fail half-way; what came
 * before counts, row by row, and only where its checksum says that it is what was written.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { JournalRow } from '../../contract.ts'
import { isStoreError } from '../../failures.ts'
import { rowSum } from '../journal.ts'

/** Of one loop: its rows from the first up to the first that can not be believed, and how many there were. */
type Readable = { loop: string; rows: JournalRow[]; known: number }

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
  const rows: JournalRow[] = []
  let sum = ''
  for (const row of rowsUntilDamage(db, 'select * from events where loop = ? order by seq', loop)) {
    const next = { ...(row as JournalRow), data: String(row['data']) }
    if (next.seq !== rows.length + 1 || rowSum(sum, next) !== next.sum) break
    sum = next.sum
    rows.push(next)
  }
  const [summary] = rowsUntilDamage(db, 'select seq from summary where loop = ?', loop)
  const [newest] = rowsUntilDamage(db, 'select max(seq) as seq from events where loop = ?', loop)
  const known = Math.max(rows.length, Number(summary?.['seq'] ?? 0), Number(newest?.['seq'] ?? 0))
  return { loop, rows, known }
}

function rowsUntilDamage(db: DatabaseSync, text: string, ...values: string[]) {
  const rows: Record<string, unknown>[] = []
  try {
    for (const row of db.prepare(text).iterate(...values)) rows.push(row)
  } catch (error) {
    // Damage is what is expected here; anything else is a bug.
    if (!isStoreError(error)) throw error
  }
  return rows
}
