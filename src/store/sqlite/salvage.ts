/**
 * Reads what is still readable in a damaged store. Any statement may fail half-way: the rows before the error count,
 * each only if its checksum is right.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { JournalRow } from '../contract.ts'
import { isStoreError } from '../failures.ts'
import { rowSum } from './journal.ts'

/** The rows of one loop, up to the first that cannot be believed; `known`: how many there must have been. */
type Readable = { loop: string; rows: JournalRow[]; known: number }

/**
 * One loop after the other, so that only one is in memory. `hints`: more ids to ask for, because a row can often be
 * read by its id though listing the ids fails. `backup`: an older copy, for a file that cannot be opened at all.
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
    return // nothing can be read from it
  } finally {
    db?.close()
    if (spliced) for (const end of ends) rmSync(spliced + end, { force: true })
  }
}

const ends = ['', '-wal', '-shm']

/** SQLite would open an empty file as a new database, without the rows that its -wal file still has. */
function canBeOpened(file: string): boolean {
  if (statSync(file).size === 0) return false
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
 * Makes a copy of the file with the first page of the backup, which says where the tables begin. That works because a
 * backup copies pages unchanged, and tables never move. Rows are still believed only by their checksums.
 */
function splice(file: string, backup: string): string {
  const copy = `${file}.spliced`
  copyFileSync(file, copy)
  const log = `${file}-wal`
  if (existsSync(log)) copyFileSync(log, `${copy}-wal`)
  const page = firstPage(backup)
  const to = openSync(copy, 'r+')
  try {
    // In the header of SQLite: WAL mode (2), then the number of pages, which counts only if the change counters at
    // 24 and 92 are equal.
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
    // Errors of the store are expected here; any other is a bug.
    if (!isStoreError(error)) throw error
  }
  return rows
}
