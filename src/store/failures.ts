/**
 * What an error of the store means, by its code and never by its text: the file is damaged, locked, or cannot be used
 * right now. Errors of the file system (no room, no permission) come here too.
 */
import { type Failure, fail, type Result } from '../model/failure.ts'
import type { Paths } from './files/paths.ts'

/** The result codes of SQLite that mean something to us; the low byte of an extended code is the code itself. */
const codes = { busy: 5, locked: 6, readonly: 8, ioerr: 10, corrupt: 11, cantopen: 14, notadb: 26 } as const

export function isStoreError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_SQLITE_ERROR'
}

function hasCode(error: unknown, ...wanted: number[]): boolean {
  return isStoreError(error) && wanted.includes((error as { errcode: number }).errcode & 0xff)
}

export function isLocked(error: unknown): boolean {
  return hasCode(error, codes.busy, codes.locked)
}

export function isDamaged(error: unknown): boolean {
  return hasCode(error, codes.corrupt, codes.notadb)
}

/** There is no place for the files beside the database. */
export function isUnwritable(error: unknown): boolean {
  return hasCode(error, codes.cantopen, codes.ioerr, codes.readonly)
}

export function unusable(paths: Paths, error: unknown): { ok: false; failure: Failure } {
  const why = error instanceof Error ? error.message : String(error)
  if (isDamaged(error)) {
    return fail(
      'store-damaged',
      `The store ${paths.database} is damaged (${why}). Nothing was changed. Bring back its newest backup with: loop doctor --restore. The trees, checkpoints and outputs are not in it.`,
    )
  }
  if (isLocked(error)) {
    return fail(
      'store-unavailable',
      `The store ${paths.database} has been locked by another process for too long: is a loop stopped or hung in the middle of a write? Let it go on (kill -CONT) or end it, then try again. Nothing is lost.`,
    )
  }
  return fail(
    'store-unavailable',
    `The store ${paths.database} cannot be used: ${why}. Check that the directory is writable and the disk not full.`,
  )
}

export function unknownLoop(name: string): Result<never> {
  return fail('unknown-loop', `There is no loop ${name}. See the ones there are with: loop list`)
}
