/** Decides whether automatic garbage collection is due: once an hour, by the time of a file. */
import { statSync, writeFileSync } from 'node:fs'
import type { Paths } from '../../store/files/paths.ts'

const everyMs = 3_600_000

/** A caller that gets true must collect: nobody else gets it for the next hour. */
export function isCollectionDue(paths: Paths, now: number): boolean {
  const last = statSync(paths.collected, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Math.abs(now - last) < everyMs) return false
  try {
    writeFileSync(paths.collected, '')
    return true
  } catch {
    // On a full or read-only disk nothing is collected automatically; `loop gc` reports the problem.
    return false
  }
}
