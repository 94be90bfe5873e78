/**
 * Who hosts a loop. Each host process holds an exclusive lock on its own small file; the kernel lets go of
 * it when the process dies, however it dies, and the lock is seen across PID namespaces. A lease names host
 * and epoch; a taker must first find the lock of the old host free, then raises the epoch, which every append
 * checks.
 * Process ids never decide whether a host is alive.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Paths } from '../files/paths.ts'
import { type Store, sql, transaction } from './database.ts'

export type Host = { id: string; release(): void }

type Lease = { held: true; epoch: number } | { held: false; by: string }

/** A lock that nothing refers to would be let go of when memory is cleaned up. */
const locks = new Set<DatabaseSync>()

/** Becomes a host; `name` must be new for each process (it holds the pid only for people to read). */
export function becomeHost(store: Store, name: string): Host {
  mkdirSync(store.paths.hosts, { recursive: true, mode: 0o700 })
  const file = lockFile(store.paths, name)
  const lock = tryLock(file)
  if (!lock) throw new Error(`Internal error: the host name ${name} is taken`)
  locks.add(lock)
  return {
    id: name,
    release() {
      locks.delete(lock)
      removeLock(file)
      lock.close()
    },
  }
}

/** A lock of a fixed name, for what there is only one of. */
export type Lock = { isInPlace(): boolean; release(): void }

const lookedAtMs = 500

/** Null when a living process has it. Who merely asks holds it for an instant, which is waited for. */
export function holdLock(file: string): Lock | null {
  const lock = lockEmptied(file)
  if (!lock) return null
  locks.add(lock)
  const ino = statSync(file).ino
  return {
    isInPlace: () => statSync(file, { throwIfNoEntry: false })?.ino === ino,
    // The file stays: were it removed, somebody could lock the old one and somebody else a new one.
    release() {
      locks.delete(lock)
      lock.close()
    },
  }
}

/** Emptied, never removed, where something was written into it: else two could each hold a file of this name. */
function lockEmptied(file: string): DatabaseSync | null {
  try {
    return tryLock(file, lookedAtMs)
  } catch (error) {
    if (!isGarbage(error)) throw error
    truncateSync(file)
    return tryLock(file, lookedAtMs)
  }
}

/** Whether a living process holds it. */
export function isHeld(file: string): boolean {
  return existsSync(file) && isLocked(file)
}

/** Takes the lease of a loop if nobody alive holds it. */
export function takeLease(store: Store, loop: string, host: Host): Lease {
  const row = sql(store, 'select epoch, host from leases where loop = ?').get(loop)
  const holder = row?.['host'] == null ? null : String(row['host'])
  const epoch = Number(row?.['epoch'] ?? 0)
  if (holder === host.id) return { held: true, epoch }
  if (holder !== null && isAlive(store, holder)) return { held: false, by: holder }
  const taken = transaction(store, () => {
    const now = sql(store, 'select epoch from leases where loop = ?').get(loop)
    if (Number(now?.['epoch'] ?? 0) !== epoch) return false
    grantLease(store, { loop, epoch: epoch + 1, host: host.id })
    return true
  })
  // Somebody was faster: look again who it is.
  return taken ? { held: true, epoch: epoch + 1 } : takeLease(store, loop, host)
}

/** The leases of many loops in one write to the disk: those among them that nobody alive holds. */
export function takeLeases(store: Store, loops: string[], host: Host): void {
  const alive = new Map<string, boolean>([[host.id, true]])
  const isHeldBy = (holder: string) => {
    if (!alive.has(holder)) alive.set(holder, isAlive(store, holder))
    return alive.get(holder)
  }
  transaction(store, () => {
    for (const loop of loops) {
      const row = sql(store, 'select epoch, host from leases where loop = ?').get(loop)
      if (row?.['host'] != null && isHeldBy(String(row['host']))) continue
      grantLease(store, { loop, epoch: Number(row?.['epoch'] ?? 0) + 1, host: host.id })
    }
  })
}

export function grantLease(store: Store, lease: { loop: string; epoch: number; host: string | null }): void {
  sql(store, 'insert or replace into leases values (?, ?, ?)').run(lease.loop, lease.epoch, lease.host)
}

export function releaseLease(store: Store, loop: string, epoch: number): void {
  sql(store, 'update leases set host = null where loop = ? and epoch = ?').run(loop, epoch)
}

/** Writes what is there already; throws where nothing can be written. */
export function proveWritable(store: Store, loop: string): void {
  sql(store, 'update leases set host = host where loop = ?').run(loop)
}

/** The living host of a loop, if it has one. */
export function hostOf(store: Store, loop: string): string | null {
  const row = sql(store, 'select host from leases where loop = ?').get(loop)
  if (row?.['host'] == null) return null
  const host = String(row['host'])
  return isAlive(store, host) ? host : null
}

/** Every host that has left a lock file: the living, and those that died without removing it. */
export function hostsIn(paths: Paths): { alive: string[]; stale: string[] } {
  const files = existsSync(paths.hosts) ? readdirSync(paths.hosts) : []
  const hosts = files.filter(file => file.endsWith('.lock')).map(file => file.slice(0, -'.lock'.length))
  const alive = hosts.filter(host => isLocked(lockFile(paths, host)))
  return { alive, stale: hosts.filter(host => !alive.includes(host)) }
}

/** The same for many loops: the leases are read at once, and each host is asked once. */
export function hostFinder(store: Store): (loop: string) => string | null {
  const hosts = new Map<string, string>()
  const alive = new Map<string, boolean>()
  let known = false
  return loop => {
    if (!known) {
      const rows = sql(store, 'select loop, host from leases where host is not null').all()
      for (const row of rows) hosts.set(String(row['loop']), String(row['host']))
      known = true
    }
    const host = hosts.get(loop)
    if (host === undefined) return null
    if (!alive.has(host)) alive.set(host, isAlive(store, host))
    return alive.get(host) ? host : null
  }
}

function isAlive(store: Store, host: string): boolean {
  const file = lockFile(store.paths, host)
  if (!existsSync(file)) return false
  if (isLocked(file)) return true
  removeLock(file)
  return false
}

/** Where it can not be removed, on a disk that is read-only, it stays: nobody holds it, which is all it says. */
function removeLock(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    return
  }
}

/** Asked by reading, which several may do at once: who looks must never be taken for the host. */
function isLocked(file: string): boolean {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: 0, readOnly: true })
    db.prepare('select count(*) from sqlite_master').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    // What is in the file means nothing; to be told so, nobody may hold it.
    if (!existsSync(file) || isGarbage(error)) return false
    throw error
  } finally {
    db?.close()
  }
}

function tryLock(file: string, waitMs = 0): DatabaseSync | null {
  const db = new DatabaseSync(file, { timeout: waitMs })
  try {
    db.exec('pragma journal_mode = memory; begin exclusive')
    return db
  } catch (error) {
    db.close()
    if (isBusy(error)) return null
    throw error
  }
}

function isGarbage(error: unknown): boolean {
  return error instanceof Error && /not a database|malformed/i.test(error.message)
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message)
}

function lockFile(paths: Paths, host: string): string {
  return join(paths.hosts, `${host}.lock`)
}
