/**
 * The locks of Claude Code's task lists: a directory that is made and removed. Whoever holds one touches it every few
 * seconds; one that nobody has touched for ten is left over from a process that died, and is taken.
 */
import { mkdirSync, rmdirSync, statSync, utimesSync } from 'node:fs'
import { fail, type Result } from '../../model/failure.ts'

const staleMs = 10_000
const patienceMs = 12_000
const pauseMs = 25

/** Does `work` while the lock is held. Synchronous: what is done under a lock takes milliseconds. */
export function underLock<T>(lock: string, work: () => Result<T>): Result<T> {
  const until = Date.now() + patienceMs
  while (!take(lock)) {
    if (Date.now() > until) return fail('system', { kind: 'task-list-locked', path: lock })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
  try {
    return work()
  } finally {
    release(lock)
  }
}

function take(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = statSync(lock, { throwIfNoEntry: false })
  // Touched before it is removed: of two that find it stale, the other sees it as taken.
  if (found && Date.now() - found.mtimeMs > staleMs) retire(lock)
  return false
}

function retire(lock: string): void {
  try {
    const now = new Date()
    utimesSync(lock, now, now)
    rmdirSync(lock)
  } catch {
    // Gone by itself, or not empty: then it is no lock, and waiting ends with a message.
  }
}

function release(lock: string): void {
  try {
    rmdirSync(lock)
  } catch {
    // Taken as stale by another process while this one was stopped for long.
  }
}
