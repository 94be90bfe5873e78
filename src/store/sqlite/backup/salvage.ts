/**
 * What can still be read from a store whose file is damaged. Any statement on it may fail half-way; what came
 * before counts, row by row, and only where its checksum says that it is what was written.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { JournalRow } from '../../contract.ts'
import { isStoreError } from '../../failures.ts'
import { rowSum } from '../journal.ts'

/** Of one loop: its rows from the first up to the first that cannot be believed, and how many there were. */
type Readable = { loop: string; rows: JournalRow[]; known: number }

/**
 * Loop by loop, so that no more than one is held. `hints`: ids to ask for besides those that are found in it: a row
 * is often reached where a list breaks off. `backup`: what the file once was, for one that cannot be opened.
 */
export function* readableIn(file: string, hints: readonly string[], backup: string): Generator<Readable> {
  if (!existsSync(file)) return
  const spliced = canBeOpened(file) ? null : splice(file, backup)
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(spliced ?? file, { timeout: 5_000, readOnly: true })
    for (const loop of new Set([...loopsIn(db), ...hints])) yield readable(db, loop)
  } catch (error) {
    if (!isStoreError(error)) throw error
    return // not even that: there is nothing to be had from it
  } finally {
    db?.close()
    if (spliced) for (const end of ends) rmSync(spliced + end, { force: true })
  }
}

const ends = ['', '-wal', '-shm']

function canBeOpened(file: string): boolean {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: 5_000, readOnly: true })
    db.prepare('select count(*) from sqlite_master').get()
    return true
  } catch (error) {
    if (!isStoreError(error)) throw error
    return false
  } finally {
    db?.close()
  }
}

/**
 * A copy of the file with the first page of the backup, which says where the tables begin: a backup has the pages of
 * the store as they are, and tables are never moved. The rest of the copy is believed row by row, as ever.
 */
function splice(file: string, backup: string): string {
  const copy = `${file}.spliced`
  copyFileSync(file, copy)
  const log = `${file}-wal`
  if (existsSync(log)) copyFileSync(log, `${copy}-wal`)
  const page = firstPage(backup)
  const to = openSync(copy, 'r+')
  try {
    // The mode (2: with a log beside it), then how many pages there are, which holds where both counters are equal.
    page.fill(2, 18, 20)
    page.writeUInt32BE(Math.floor(fstatSync(to).size / page.length), 28)
    page.copy(page, 92, 24, 28)
    writeSync(to, page, 0, page.length, 0)
  } finally {
    closeSync(to)
  }
  return copy
}

function firstPage(backup: string): Buffer {
  const from = openSync(backup, 'r')
  try {
    const head = Buffer.alloc(18)
    readSync(from, head, 0, head.length, 0)
    const size = head.readUInt16BE(16)
    const page = Buffer.alloc(size === 1 ? 65_536 : size)
    readSync(from, page, 0, page.length, 0)
    return page
  } finally {
    closeSync(from)
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
