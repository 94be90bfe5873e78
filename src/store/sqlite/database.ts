/**
 * The database file of the store: opens it, caches prepared statements, runs transactions. WAL with synchronous=FULL:
 * a committed transaction survives kill -9 and power loss. Opening never repairs: a damaged file is reported and left
 * as it is.
 */
import { chmodSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { folds as everyFold, type Folds } from '../../core/folds.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { StoreReplaced } from '../contract.ts'
import { isLocked, isStoreError, isUnwritable, unusable } from '../failures.ts'
import { makeDirectory } from '../files/directory.ts'
import type { Paths } from '../files/paths.ts'
import { identityInHeader, identityOf, isEmpty, strange, strangeByHeader } from './identity.ts'
import { lastMigration, migrate, migrations } from './migrations.ts'

export type Database = {
  db: DatabaseSync
  paths: Paths
  statements: Map<string, StatementSync>
  /** Device and inode of the open file: a file that later has the same name is another store. */
  file: string
  /** The kinds of journals whose summaries can be rebuilt. */
  folds: Folds
  /** For each journal the number of the newest event that was written through this connection. */
  written: Map<string, number>
}

/** How long to wait for a lock of another process; the short one where only speed depends on it. */
const lockedMs = 5_000
const lockedBrieflyMs = 250

/** `all`: the migrations that this version knows. */
export function openDatabase(paths: Paths, all: readonly string[] = migrations): Result<Database> {
  const refused = refusal(paths)
  if (refused) return refused
  try {
    const unknown = strangeInLog(paths)
    if (unknown) return unknown
    makeDirectory(paths.data)
    const db = new DatabaseSync(paths.database, { timeout: lockedMs })
    chmodSync(paths.database, 0o600)
    logAhead(db)
    db.exec('pragma synchronous = full; pragma foreign_keys = off')
    const file = fileOf(paths)
    return prepared({ db, paths, statements: new Map(), file, folds: everyFold, written: new Map() }, all)
  } catch (error) {
    return unusable(paths, error)
  }
}

/** Why the file must not even be opened; null where it may. */
function refusal(paths: Paths): Result<never> | null {
  if (isLost(paths)) return lost(paths)
  return notPlain(paths) ?? strangeByHeader(paths.database, paths)
}

/** The same for a store whose first tables are still in its log: a reader changes neither of the two. */
function strangeInLog(paths: Paths): Result<never> | null {
  const known = identityInHeader(paths.database)
  const log = statSync(`${paths.database}-wal`, { throwIfNoEntry: false })
  if (!known || !isEmpty(known) || !log?.size) return null
  const db = openToRead(paths)
  try {
    return strange(identityOf(db), paths.database, paths)
  } finally {
    db.close()
  }
}

const mostTries = 50

/**
 * Where several processes create the store at once, SQLite refuses this change to all but one, without waiting. A
 * transaction waits: after it another process may have made the change.
 */
function logAhead(db: DatabaseSync): void {
  for (let tries = 1; ; tries += 1) {
    try {
      return db.exec('pragma journal_mode = wal')
    } catch (error) {
      if (!isLocked(error) || tries === mostTries) throw error
      db.exec('begin immediate; rollback')
    }
  }
}

/**
 * Is the store gone or emptied, but backups of it are there? A new store would hide every loop of the old one. Asked
 * before SQLite opens the file: it deletes the -wal file of an empty database.
 */
function isLost(paths: Paths): boolean {
  const size = statSync(paths.database, { throwIfNoEntry: false })?.size ?? 0
  return size === 0 && hasBackups(paths)
}

function hasBackups(paths: Paths): boolean {
  return existsSync(paths.backups) && readdirSync(paths.backups).length > 0
}

function lost(paths: Paths): Result<never> {
  return fail('store-damaged', { kind: 'store-gone', database: paths.database, backups: paths.backups })
}

/** Refuses a link, which would lead to a foreign file, and a FIFO, which would block for ever. */
function notPlain({ database }: Paths): Result<never> | null {
  const foreign = [database, `${database}-wal`, `${database}-shm`].find(path => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat !== undefined && !stat.isFile()
  })
  if (foreign === undefined) return null
  return fail('store-unavailable', { kind: 'store-foreign', path: foreign })
}

/** Null where no loop was ever started. */
export function openDatabaseToRead(paths: Paths, folds: Folds): Result<Database | null> {
  const refused = refusal(paths)
  if (refused) return refused
  if (!existsSync(paths.database)) return ok(null)
  try {
    const db = openToRead(paths)
    const identity = identityOf(db)
    if (isEmpty(identity)) return hasBackups(paths) ? lost(paths) : ok(null)
    const unknown = strange(identity, paths.database, paths)
    if (unknown) return unknown
    return ok({ db, paths, statements: new Map(), file: fileOf(paths), folds, written: new Map() })
  } catch (error) {
    return unusable(paths, error)
  }
}

/**
 * On a disk that is full or read-only, SQLite cannot create the -shm file that readers of a WAL database need. If no
 * process has written to the -wal file, the database is opened as immutable instead; else its newest rows are not in
 * the file yet, and it is refused.
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

/** Throws where another file has the name of the store now. */
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

/** Runs `work` in a transaction, or in that of the caller. No `await` inside. An exception rolls back. */
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

/** Runs several reads on one state of the database, whatever others write meanwhile. */
export function snapshot<T>({ db }: Database, look: () => T): T {
  if (db.isTransaction) return look()
  db.exec('begin')
  try {
    return look()
  } finally {
    db.exec('commit')
  }
}

/** SQLite's own complaint about the file, or null. */
export function integrity({ db }: Database): string | null {
  try {
    const [first] = db.prepare('pragma quick_check(1)').all()
    const said = String(first?.['quick_check'])
    return said === 'ok' ? null : said
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function prepared(database: Database, all: readonly string[]): Result<Database> {
  const { db, paths } = database
  if (!isEmpty(identityOf(db))) migrateIfPossible(database, all)
  else if (hasBackups(paths)) {
    closeDatabase(database)
    return lost(paths)
  } else transaction(database, () => migrate(db, all, Date.now()))
  return ok(database)
}

function migrateIfPossible(database: Database, all: readonly string[]): void {
  const { db } = database
  // Outside of `try`: if not even the names of the tables can be read, the store as a whole is damaged.
  const last = db.prepare(lastMigration)
  try {
    if (Number(last.get()?.['n']) >= all.length) return
    db.exec(`pragma busy_timeout = ${lockedBrieflyMs}`)
    transaction(database, () => migrate(db, all, Date.now()))
  } catch (error) {
    if (!isStoreError(error)) throw error
  } finally {
    db.exec(`pragma busy_timeout = ${lockedMs}`)
  }
}
