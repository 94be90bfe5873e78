/**
 * The one database file: opened, its statements kept, its transactions run.
 * WAL with synchronous=FULL: what a transaction has committed survives kill -9 and power loss.
 * Opening never repairs: a file that is not a sound database is said to be so and left as it is.
 */
import { chmodSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { folds as everyFold, type Folds } from '../../core/folds.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { StoreReplaced } from '../contract.ts'
import { isStoreError, isUnwritable, unusable } from '../failures.ts'
import { makeDirectory } from '../files/directory.ts'
import type { Paths } from '../files/paths.ts'
import { hasTable, isUpToDate, migrate, schemaVersion, versionOf } from './migrations.ts'

export type Database = {
  db: DatabaseSync
  paths: Paths
  statements: Map<string, StatementSync>
  /** Which file was opened: one of the same name that came later is another store. */
  file: string
  /** The kinds of journals whose rows can be made anew. */
  folds: Folds
  /** The number of the newest event of each journal that was written through here. */
  written: Map<string, number>
}

/** How long a lock of another process is waited for; and where only speed depends on it. */
const lockedMs = 5_000
const lockedBrieflyMs = 250

export function openDatabase(paths: Paths, folds: Folds = everyFold): Result<Database> {
  if (isLost(paths)) return lost(paths)
  const foreign = notPlain(paths)
  if (foreign) return foreign
  try {
    makeDirectory(paths.data)
    const db = new DatabaseSync(paths.database, { timeout: lockedMs })
    chmodSync(paths.database, 0o600)
    db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = off')
    return prepared({ db, paths, statements: new Map(), file: fileOf(paths), folds, written: new Map() })
  } catch (error) {
    return unusable(paths, error)
  }
}

/** The store is gone, and its backups are there: to begin a new one would hide every loop there was. */
function isLost(paths: Paths): boolean {
  return !existsSync(paths.database) && existsSync(paths.backups) && readdirSync(paths.backups).length > 0
}

function lost(paths: Paths): Result<never> {
  return fail(
    'store-damaged',
    `The store ${paths.database} is gone, but there are backups of it. Bring it back with: loop doctor --restore. To begin anew, move ${paths.backups} away.`,
  )
}

/** A link would be followed, and what is behind it changed; a FIFO would be waited for, for ever. */
function notPlain({ database }: Paths): Result<never> | null {
  const foreign = [database, `${database}-wal`, `${database}-shm`].find(path => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat !== undefined && !stat.isFile()
  })
  if (foreign === undefined) return null
  return fail(
    'store-unavailable',
    `${foreign} is not a plain file, so it is not the store of loop. Nothing was changed. Move it away, then try again.`,
  )
}

/** Null when no loop was ever started here. */
export function openDatabaseToRead(paths: Paths): Result<Database | null> {
  if (isLost(paths)) return lost(paths)
  const foreign = notPlain(paths)
  if (foreign) return foreign
  if (!existsSync(paths.database)) return ok(null)
  try {
    const db = openToRead(paths)
    const version = versionOf(db)
    if (version === 0) return ok(null)
    if (version > schemaVersion) return newer(paths, version)
    return ok({ db, paths, statements: new Map(), file: fileOf(paths), folds: everyFold, written: new Map() })
  } catch (error) {
    return unusable(paths, error)
  }
}

/**
 * A disk that is full or read-only has no place for the file through which readers share a store. Where no
 * process has it open it can be read as it lies; else what is newest is not in the file yet, so it is refused.
 */
function openToRead(paths: Paths): DatabaseSync {
  const options = { timeout: lockedMs, readOnly: true }
  try {
    const db = new DatabaseSync(paths.database, options)
    db.prepare('pragma user_version').get()
    return db
  } catch (error) {
    const log = statSync(`${paths.database}-wal`, { throwIfNoEntry: false })
    if (log?.size || !isUnwritable(error)) throw error
    const path = encodeURI(paths.database).replaceAll('?', '%3F').replaceAll('#', '%23')
    return new DatabaseSync(new URL(`file://${path}?immutable=1`), options)
  }
}

/** Throws when the open file is no longer the one that others would open. */
export function assertInPlace({ paths, file }: Database): void {
  if (fileOf(paths) !== file) throw new StoreReplaced(paths.database)
}

function fileOf(paths: Paths): string {
  const stat = statSync(paths.database, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}` : 'none'
}

export function closeDatabase({ db, statements }: Database): void {
  statements.clear()
  db.close()
}

export function sql({ db, statements }: Database, text: string): StatementSync {
  const known = statements.get(text)
  if (known) return known
  const statement = db.prepare(text)
  statements.set(text, statement)
  return statement
}

/** Runs `work` in one transaction, that of the caller where there is one; no await inside. An exception rolls back. */
export function transaction<T>({ db }: Database, work: () => T): T {
  if (db.isTransaction) return work()
  db.exec('begin immediate')
  try {
    const value = work()
    db.exec('commit')
    return value
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

/** Reads several things as they stood at one moment, whatever others write meanwhile. */
export function snapshot<T>({ db }: Database, look: () => T): T {
  if (db.isTransaction) return look()
  db.exec('begin')
  try {
    return look()
  } finally {
    db.exec('commit')
  }
}

/** What is wrong with the file as a whole, or null. */
export function integrity({ db }: Database): string | null {
  try {
    const [first] = db.prepare('pragma quick_check(1)').all()
    const said = String(first?.['quick_check'])
    return said === 'ok' ? null : said
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function prepared(database: Database): Result<Database> {
  const version = versionOf(database.db)
  if (version > schemaVersion) return newer(database.paths, version)
  if (version === 0) transaction(database, () => migrate(database.db, Date.now()))
  else migrateIfPossible(database)
  return ok(database)
}

function migrateIfPossible(database: Database): void {
  const { db } = database
  // Outside: where not even this can be read, the store as a whole is damaged.
  const isNumbered = hasTable(db, 'migrations')
  try {
    if (isNumbered && isUpToDate(db)) return
    db.exec(`pragma busy_timeout = ${lockedBrieflyMs}`)
    transaction(database, () => migrate(db, Date.now()))
  } catch (error) {
    if (!isStoreError(error)) throw error
  } finally {
    db.exec(`pragma busy_timeout = ${lockedMs}`)
  }
}

function newer(paths: Paths, version: number): Result<never> {
  return fail(
    'store-unavailable',
    `${paths.database} was written by a newer loop (store version ${version}, this one knows ${schemaVersion}). Update loop.`,
  )
}
