/**
 * Restores the store from its newest sound backup. The damaged file is moved aside, never deleted. Rows of it that are
 * newer than the backup, still readable and continue the chain of checksums are added; what is missing after that is
 * listed. Nothing is invented: a loop is as far as its rows say.
 *
 *   build loop.db.restored ─▶ link damaged files into damaged/ ─▶ remove -wal, -shm ─▶ rename into place
 *
 * After a kill at any point loop.db.restored is still there: it tells that the restore must be repeated.
 *
 * While what is still readable is read (salvage), any statement may fail half-way: the rows before the error count,
 * each only if its checksum is right.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fail, ok, type Result } from '../../model/failure.ts'
import { keepAside } from '../../platform/platform.ts'
import type { JournalRow } from '../contract.ts'
import { isStoreError } from '../failures.ts'
import { fsyncPath } from '../files/directory.ts'
import type { Paths } from '../files/paths.ts'
import { type Backup, backupsIn, problemOf, stamp } from './backup.ts'
import { closeDatabase, type Database, openDatabase, sql, transaction } from './database.ts'
import { strangeByHeader } from './identity.ts'
import { rowSum } from './journal.ts'
import { hostsIn } from './lock.ts'
import { storeOver } from './open.ts'

/** Events `from` to `to` of a loop. */
export type Span = { loop: string; from: number; to: number }

export type RestoredStore = {
  backup: Backup
  /** Where the damaged files are now; null where there were none. */
  aside: string | null
  /** Events newer than the backup, read from the damaged file. */
  broughtBack: Span[]
  /** Events that were written once and are lost. */
  missing: Span[]
  /** Loops that have files but no journal. */
  unknownLoops: string[]
  /** New names of runs that are on disk but not in the journal: a resumed loop would use their numbers again. */
  unknownRuns: string[]
  /** The same for checkpoints. */
  unknownCheckpoints: string[]
}

export function restoringFile(paths: Paths): string {
  return `${paths.database}.restored`
}

export function restoreBackup(paths: Paths, now: number): Result<RestoredStore> {
  const { alive } = hostsIn(paths)
  if (alive.length > 0) {
    const pids = alive.map(host => host.split('-')[0] ?? host)
    return fail('not-allowed', { kind: 'store-in-use', pids })
  }
  const inPlace = strangeByHeader(paths.database, paths)
  if (inPlace) return inPlace
  const backups = backupsIn(paths, now)
  const backup = backups.find(({ file }) => problemOf(file) === null)
  if (!backup) {
    const unusable = backups.map(({ file }) => strangeByHeader(file, paths)).find(one => one !== null)
    return (
      unusable ??
      fail('store-damaged', { kind: 'no-backup', backups: paths.backups, database: paths.database })
    )
  }
  const built = build(paths, backup)
  if (!built.ok) return built
  const aside = setAside(paths, now)
  putInPlace(paths)
  const { broughtBack, missing, runs, refs } = built.value
  const unknownCheckpoints = refs.map(keepAside)
  return ok({ backup, aside, broughtBack, missing, ...lookAround(paths, runs), unknownCheckpoints })
}

type Built = { broughtBack: Span[]; missing: Span[]; runs: Map<string, number>; refs: string[] }

function build(paths: Paths, backup: Backup): Result<Built> {
  const sources = [paths.database, ...interrupted(paths)]
  const file = restoringFile(paths)
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  copyFileSync(backup.file, file)
  const opened = openDatabase({ ...paths, database: file })
  if (!opened.ok) return opened
  const database = opened.value
  const { journals } = storeOver(database)
  const known = new Map<string, number>()
  const broughtBack: Span[] = []
  // One transaction for all, to wait for the disk once: nobody else uses the file yet.
  transaction(database, () => {
    for (const source of sources)
      for (const { loop, rows, known: seen } of readableIn(source, loopDirs(paths), backup.file)) {
        known.set(loop, Math.max(seen, known.get(loop) ?? 0))
        const span = journals.adopt(rows)
        if (span) broughtBack.push({ loop, ...span })
      }
  })
  const missing = [...known]
    .map(([loop, to]) => ({ loop, from: journals.lastSeq(loop) + 1, to }))
    .filter(({ from, to }) => from <= to)
  const runs = runsIn(database)
  const refs = unknownRefs(paths, database)
  database.db.exec('pragma journal_mode = delete')
  closeDatabase(database)
  fsyncPath(file)
  return ok({ broughtBack, missing, runs, refs })
}

/** The files that an earlier restore moved aside before it was killed: its -wal may exist only there. */
function interrupted(paths: Paths): string[] {
  if (!existsSync(restoringFile(paths)) || !existsSync(paths.damaged)) return []
  const newest = readdirSync(paths.damaged).sort().at(-1)
  return newest ? [join(paths.damaged, newest, 'loop.db')] : []
}

/** The number of runs in the journal of each loop. */
function runsIn(database: Database): Map<string, number> {
  const rows = sql(database, `select loop, sum(kind = 'run.started') as runs from events group by loop`).all()
  return new Map(rows.map(row => [String(row['loop']), Number(row['runs'])]))
}

/** The checkpoints of iterations and rollbacks that a resumed loop would make again, in place of those that are there. */
const madeAgain = /^(?:iter-\d+(?:-after)?|before-rollback-\d+)$/

/** Those that no event of their loop names; of loops without a journal nothing is made again. */
function unknownRefs(paths: Paths, database: Database): string[] {
  const known = sql(database, 'select 1 from events where loop = ? limit 1')
  const named = sql(database, 'select 1 from events where loop = ? and instr(data, ?) limit 1')
  return namesIn(paths.trees).flatMap(tree => {
    const refs = join(paths.trees, tree, 'git/refs/loop')
    return namesIn(refs)
      .filter(loop => known.get(loop))
      .flatMap(loop =>
        namesIn(join(refs, loop))
          .filter(name => madeAgain.test(name) && !named.get(loop, JSON.stringify(name)))
          .map(name => join(refs, loop, name)),
      )
  })
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).sort() : []
}

function setAside(paths: Paths, now: number): string | null {
  const ends = ['', '-wal', '-shm'].filter(end => existsSync(`${paths.database}${end}`))
  if (ends.length === 0) return null
  const aside = join(paths.damaged, stamp(now))
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  for (const end of ends) linkOrCopy(`${paths.database}${end}`, join(aside, `loop.db${end}`))
  fsyncPath(aside)
  fsyncPath(paths.damaged)
  return aside
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    copyFileSync(from, to) // a file system without hard links
    fsyncPath(to)
  }
}

function putInPlace(paths: Paths): void {
  // Before the rename: SQLite would replay an old -wal into the new file.
  for (const end of ['-wal', '-shm']) rmSync(`${paths.database}${end}`, { force: true })
  renameSync(restoringFile(paths), paths.database)
  fsyncPath(paths.data)
}

function lookAround(paths: Paths, runs: Map<string, number>) {
  const loops = loopDirs(paths)
  const unknownRuns: string[] = []
  for (const loop of loops) {
    const known = runs.get(loop)
    if (known === undefined) continue
    for (const run of runDirs(join(paths.loops, loop, 'runs')).filter(n => n > known)) {
      unknownRuns.push(keepAside(join(paths.loops, loop, 'runs', String(run))))
    }
  }
  return { unknownLoops: loops.filter(loop => !runs.has(loop)), unknownRuns }
}

function loopDirs(paths: Paths): string[] {
  return namesIn(paths.loops)
}

function runDirs(dir: string): number[] {
  if (!lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(dir)
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
}

/** The rows of one loop, up to the first that cannot be believed; `known`: how many there must have been. */
type Readable = { loop: string; rows: JournalRow[]; known: number }

/**
 * One loop after the other, so that only one is in memory. `hints`: more ids to ask for, because a row can often be
 * read by its id though listing the ids fails. `backup`: an older copy, for a file that cannot be opened at all.
 */
function* readableIn(file: string, hints: readonly string[], backup: string): Generator<Readable> {
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
