/** Whether it is time to throw away what is kept no longer: once an hour, by the time of a file. */
import { statSync, writeFileSync } from 'node:fs'
import type { Paths } from '../../store/files/paths.ts'

const everyMs = 3_600_000

/** Whoever is told yes does it: nobody else is for the next hour. */
export function isCollectionDue(paths: Paths, now: number): boolean {
  const last = statSync(paths.collected, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Math.abs(now - last) < everyMs) return false
  try {
    writeFileSync(paths.collected, '')
    return true
  } catch {
    // A disk that is full or read-only is no place to clean up in by oneself; `loop gc` says what is wrong.
    return false
  }
}
