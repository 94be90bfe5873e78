/**
 * The locks of Claude Code's task lists: directories that are created and removed. The holder touches its lock every
 * few seconds. A lock that was not touched for ten seconds is left from a dead process and is taken over.
 */
import { mkdirSync, rmdirSync, statSync, utimesSync } from 'node:fs'
import { fail, type Result } from '../../model/failure.ts'

const staleMs = 10_000
const patienceMs = 12_000
const pauseMs = 25

/** Runs `work` while holding the lock. Synchronous, because it takes only milliseconds. */
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
  // Touched before it is removed: a second process that found it stale then sees a fresh lock.
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
    // Another process took the lock as stale while this one was stopped for a long time.
  }
}
