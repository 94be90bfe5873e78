/**
 * Locks by the kernel: each host process holds an exclusive lock on its own small file; the kernel lets go of
 * it when the process dies, however it dies, and the lock is seen across PID namespaces.
 * Process ids never decide whether a host is alive.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Host, Store } from '../contract.ts'
import { isDamaged, isLocked } from '../failures.ts'
import type { Paths } from '../files/paths.ts'

/** A lock that nothing refers to would be let go of when memory is cleaned up. */
const locks = new Set<DatabaseSync>()

/** Becomes a host; `name` must be new for each process (it holds the pid only for people to read). */
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
    if (!isDamaged(error)) throw error
    truncateSync(file)
    return tryLock(file, lookedAtMs)
  }
}

/** Whether a living process holds it. */
export function isHeld(file: string): boolean {
  return existsSync(file) && isTaken(file)
}

/** Every host that has left a lock file: the living, and those that died without removing it. */
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

/** Where it cannot be removed, on a disk that is read-only, it stays: nobody holds it, which is all it says. */
function removeLock(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    return
  }
}

/** Asked by reading, which several may do at once: who looks must never be taken for the host. */
function isTaken(file: string): boolean {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: 0, readOnly: true })
    db.prepare('select count(*) from sqlite_master').get()
    return false
  } catch (error) {
    if (isLocked(error)) return true
    // What is in the file means nothing; to be told so, nobody may hold it.
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

/** Held until it is closed; throws where it cannot be had in time. */
export function waitForLock(file: string, waitMs: number): DatabaseSync {
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
