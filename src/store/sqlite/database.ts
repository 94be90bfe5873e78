/**
 * The one database file: opened, its tables made, its statements kept.
 * WAL with synchronous=FULL: what a transaction has committed survives kill -9 and power loss.
 * Opening never repairs: a file that is not a sound database is said to be so and left as it is.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type Failure, fail, ok, type Result } from '../../model/failure.ts'
import type { Paths } from '../files/paths.ts'
import { hasBriefs, makeBriefs } from './table-row.ts'

export type Store = {
  db: DatabaseSync
  paths: Paths
  statements: Map<string, StatementSync>
  /** Which file was opened: one of the same name that came later is another store. */
  file: string
}

/** The file of the store was removed or replaced while it was open: what is written goes nowhere. */
export class StoreReplaced extends Error {}

export const schemaVersion = 1

/** How long a lock of another process is waited for; and where only speed depends on it. */
const lockedMs = 5_000
const lockedBrieflyMs = 250

const schema = `
  create table events (
    loop text not null, seq integer not null, v integer not null, at real not null, epoch integer not null,
    cause text, kind text not null, data text not null, sum text not null,
    primary key (loop, seq)
  ) without rowid;
  create table summary (
    loop text primary key, seq integer not null, status text not null, open integer not null,
    cwd text not null, created_at real not null, body text not null, sum text not null
  ) without rowid;
  create index summary_open on summary (open, cwd);
  create index summary_created on summary (created_at);
  create table inbox (id text primary key, loop text not null, at real not null, command text not null);
  create index inbox_loop on inbox (loop);
  create table leases (loop text primary key, epoch integer not null, host text) without rowid;
`

export function openStore(paths: Paths): Result<Store> {
  if (isLost(paths)) return lost(paths)
  try {
    makeDirectory(paths.data)
    const db = new DatabaseSync(paths.database, { timeout: lockedMs })
    chmodSync(paths.database, 0o600)
    db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = off')
    return prepared({ db, paths, statements: new Map(), file: fileOf(paths) })
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

/** For commands that only look; null when no loop was ever started here. */
export function openStoreToRead(paths: Paths): Result<Store | null> {
  if (isLost(paths)) return lost(paths)
  if (!existsSync(paths.database)) return ok(null)
  try {
    const db = openToRead(paths)
    const store = { db, paths, statements: new Map<string, StatementSync>(), file: fileOf(paths) }
    const version = versionOf(store)
    if (version === 0) return ok(null)
    return version > schemaVersion ? newer(paths, version) : ok(store)
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
    if (log?.size || !/unable to open|disk I\/O|readonly/i.test(String(error))) throw error
    const path = encodeURI(paths.database).replaceAll('?', '%3F').replaceAll('#', '%23')
    return new DatabaseSync(new URL(`file://${path}?immutable=1`), options)
  }
}

/** Throws when the open file is no longer the one that others would open. */
export function assertInPlace(store: Store): void {
  if (fileOf(store.paths) !== store.file) throw new StoreReplaced(store.paths.database)
}

function fileOf(paths: Paths): string {
  const stat = statSync(paths.database, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}` : 'none'
}

/** One directory after the other: the recursive way of Node never ends where mkdir says ENOENT (/proc). */
export function makeDirectory(path: string, mode = 0o700): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeDirectory(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

export function closeStore(store: Store): void {
  store.statements.clear()
  store.db.close()
}

export function sql(store: Store, text: string): StatementSync {
  const known = store.statements.get(text)
  if (known) return known
  const statement = store.db.prepare(text)
  store.statements.set(text, statement)
  return statement
}

/** Runs `work` in one transaction; no await inside. An exception rolls back and goes on. */
export function transaction<T>(store: Store, work: () => T): T {
  store.db.exec('begin immediate')
  try {
    const value = work()
    store.db.exec('commit')
    return value
  } catch (error) {
    if (store.db.isTransaction) store.db.exec('rollback')
    throw error
  }
}

/** Reads several things as they stood at one moment, whatever others write meanwhile. */
export function snapshot<T>(store: Store, look: () => T): T {
  if (store.db.isTransaction) return look()
  store.db.exec('begin')
  try {
    return look()
  } finally {
    store.db.exec('commit')
  }
}

/** Changes when another connection has committed: asking costs microseconds. */
export function dataVersion(store: Store): number {
  const row = sql(store, 'pragma data_version').get()
  return Number(row?.['data_version'])
}

/** Changes when any connection has written, this one included. */
export function contentVersion(store: Store): string {
  const own = sql(store, 'select total_changes() as n').get()
  return `${dataVersion(store)}/${own?.['n']}`
}

function prepared(store: Store): Result<Store> {
  const version = versionOf(store)
  if (version > schemaVersion) return newer(store.paths, version)
  if (version === 0) makeTables(store)
  else if (!hasBriefs(store.db)) makeTablesIfPossible(store)
  return ok(store)
}

function makeTables(store: Store): void {
  transaction(store, () => {
    // Another process may have made the tables between the look and the lock.
    if (versionOf(store) === 0) store.db.exec(`${schema}; pragma user_version = ${schemaVersion}`)
    if (!hasBriefs(store.db)) makeBriefs(store.db)
  })
}

/** A store of before serves without its short lines: where it is locked, full or damaged, who opens it next makes them. */
function makeTablesIfPossible(store: Store): void {
  store.db.exec(`pragma busy_timeout = ${lockedBrieflyMs}`)
  try {
    makeTables(store)
  } catch (error) {
    if (!isOfDatabase(error)) throw error
  } finally {
    store.db.exec(`pragma busy_timeout = ${lockedMs}`)
  }
}

function versionOf(store: Store): number {
  return Number(store.db.prepare('pragma user_version').get()?.['user_version'])
}

function newer(paths: Paths, version: number): Result<never> {
  return fail(
    'store-unavailable',
    `${paths.database} was written by a newer loop (store version ${version}, this one knows ${schemaVersion}). Update loop.`,
  )
}

export function isOfDatabase(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR'
}

/** The failure that an error of the database is: its file is damaged, or it can not be used right now. */
export function unusable(paths: Paths, error: unknown): { ok: false; failure: Failure } {
  const why = error instanceof Error ? error.message : String(error)
  if (/malformed|not a database|corrupt/i.test(why)) {
    return fail(
      'store-damaged',
      `The store ${paths.database} is damaged (${why}). Nothing was changed. Bring back its newest backup with: loop doctor --restore. The trees, checkpoints and outputs are not in it.`,
    )
  }
  if (/is locked/.test(why)) {
    return fail(
      'store-unavailable',
      `The store ${paths.database} has been locked by another process for too long: is a loop stopped or hung in the middle of a write? Let it go on (kill -CONT) or end it, then try again. Nothing is lost.`,
    )
  }
  return fail(
    'store-unavailable',
    `The store ${paths.database} can not be used: ${why}. Check that the directory is writable and the disk not full.`,
  )
}
