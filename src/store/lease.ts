/**
 * Who hosts a loop. Each host process holds an exclusive lock on its own small file; the kernel lets go of
 * it when the process dies, however it dies, and the lock is seen across PID namespaces. A lease names host
 * and epoch; a taker must first find the lock of the old host free, then raises the epoch, which every append
 * checks.
 * Process ids never decide whether a host is alive.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Store, sql, transaction } from './database.ts'
import type { Paths } from './paths.ts'

export type Host = { id: string; release(): void }

export type Lease = { held: true; epoch: number } | { held: false; by: string }

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
      rmSync(file, { force: true })
      lock.close()
    },
  }
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

export function grantLease(store: Store, lease: { loop: string; epoch: number; host: string }): void {
  sql(store, 'insert or replace into leases values (?, ?, ?)').run(lease.loop, lease.epoch, lease.host)
}

export function releaseLease(store: Store, loop: string, epoch: number): void {
  sql(store, 'update leases set host = null where loop = ? and epoch = ?').run(loop, epoch)
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

function isAlive(store: Store, host: string): boolean {
  const file = lockFile(store.paths, host)
  if (!existsSync(file)) return false
  if (isLocked(file)) return true
  rmSync(file, { force: true })
  return false
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
    if (!existsSync(file)) return false
    throw error
  } finally {
    db?.close()
  }
}

function tryLock(file: string): DatabaseSync | null {
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    db.exec('pragma journal_mode = memory; begin exclusive')
    return db
  } catch (error) {
    db.close()
    if (isBusy(error)) return null
    throw error
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message)
}

function lockFile(paths: Paths, host: string): string {
  return join(paths.hosts, `${host}.lock`)
}
