/**
 * Locks of the kernel: each host process holds an exclusive lock on a small file of its own. The kernel releases it when
 * the process dies, however it dies, and the lock is visible across PID namespaces; so a pid never decides whether
 * a host is alive. A lock is an SQLite transaction on that file, because Node has no file locks.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fail, type Result } from '../../model/failure.ts'
import type { Host, Store } from '../contract.ts'
import { isDamaged, isLocked } from '../failures.ts'
import { makeDirectory } from '../files/directory.ts'
import type { Paths } from '../files/paths.ts'

/** References to held locks: the garbage collector would close a connection, and so release its lock. */
const locks = new Set<DatabaseSync>()

/** Makes this process a host. `name` must be new for each process; the pid in it is for people only. */
export function becomeHost({ paths }: Pick<Store, 'paths'>, name: string): Host {
  mkdirSync(paths.hosts, { recursive: true, mode: 0o700 })
  const file = lockFile(paths, name)
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

/** A lock with a fixed name, for something there may be only one of. */
export type Lock = { isInPlace(): boolean; release(): void }

const lookedAtMs = 500

/** Null where a living process holds it. Waits a moment, because `isHeld` in another process holds it for an instant. */
export function holdLock(file: string): Lock | null {
  const lock = lockEmptied(file)
  if (!lock) return null
  locks.add(lock)
  const ino = statSync(file).ino
  return {
    isInPlace: () => statSync(file, { throwIfNoEntry: false })?.ino === ino,
    // The file stays: if it were removed, one process could lock the old file and another a new one.
    release() {
      locks.delete(lock)
      lock.close()
    },
  }
}

/** A file with foreign content is emptied, never removed: else two processes could each hold a file of this name. */
function lockEmptied(file: string): DatabaseSync | null {
  try {
    return tryLock(file, lookedAtMs)
  } catch (error) {
    if (!isDamaged(error)) throw error
    truncateSync(file)
    return tryLock(file, lookedAtMs)
  }
}

/** Does a living process hold it? */
export function isHeld(file: string): boolean {
  return existsSync(file) && isTaken(file)
}

/** All hosts with a lock file: `alive` ones, and `stale` ones that died without removing it. */
export function hostsIn(paths: Paths): { alive: string[]; stale: string[] } {
  const files = existsSync(paths.hosts) ? readdirSync(paths.hosts) : []
  const hosts = files.filter(file => file.endsWith('.lock')).map(file => file.slice(0, -'.lock'.length))
  const alive = hosts.filter(host => isTaken(lockFile(paths, host)))
  return { alive, stale: hosts.filter(host => !alive.includes(host)) }
}

export function isHostAlive(paths: Paths, host: string): boolean {
  const file = lockFile(paths, host)
  if (!existsSync(file)) return false
  if (isTaken(file)) return true
  removeLock(file)
  return false
}

/** On a read-only disk the file stays. That does no harm: only the lock counts, and nobody holds it. */
function removeLock(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    return
  }
}

/** Asks with a shared lock, which many may have at once: a process that asks must not be taken for the host. */
function isTaken(file: string): boolean {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: 0, readOnly: true })
    db.prepare('select count(*) from sqlite_master').get()
    return false
  } catch (error) {
    if (isLocked(error)) return true
    // The content does not matter: SQLite can only complain about it where nobody holds the lock.
    if (!existsSync(file) || isDamaged(error)) return false
    throw error
  } finally {
    db?.close()
  }
}

function tryLock(file: string, waitMs = 0): DatabaseSync | null {
  try {
    return waitForLock(file, waitMs)
  } catch (error) {
    if (isLocked(error)) return null
    throw error
  }
}

/** The lock is held until the connection is closed. Throws where it is not free in time. */
function waitForLock(file: string, waitMs: number): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: waitMs })
  try {
    db.exec('pragma journal_mode = memory; begin exclusive')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function lockFile(paths: Paths, host: string): string {
  return join(paths.hosts, `${host}.lock`)
}

/** The lock for changes of a configuration file: one process at a time; the kernel frees it when that process dies. */
const patienceMs = 10_000

/** Waits for the lock and does the work while holding it. */
export function whileLocked<T>({ configLock }: Paths, work: () => Result<T>): Result<T> {
  let lock: ReturnType<typeof waitForLock>
  try {
    makeDirectory(dirname(configLock))
    lock = waitForLock(configLock, patienceMs)
  } catch (error) {
    const { message } = error as Error
    return fail('system', { kind: 'config-unlockable', path: configLock, why: message })
  }
  try {
    return work()
  } finally {
    lock.close()
  }
}
