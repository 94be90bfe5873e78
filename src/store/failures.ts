/**
 * The meaning of an error of the store, by its code and never by its text: the file is damaged, locked, or cannot be
 * used right now. Errors of the file system (disk full, no permission) are covered too.
 */
import { type Failure, fail, type Result } from '../model/failure.ts'
import type { Paths } from './files/paths.ts'

/** Result codes of SQLite; the low byte of an extended code is the primary code. */
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

/** SQLite cannot create the files that it needs beside the database. */
export function isUnwritable(error: unknown): boolean {
  return hasCode(error, codes.cantopen, codes.ioerr, codes.readonly)
}

export function unusable(paths: Paths, error: unknown): { ok: false; failure: Failure } {
  const why = error instanceof Error ? error.message : String(error)
  if (isDamaged(error)) {
    return fail('store-damaged', { kind: 'store-damaged', database: paths.database, why })
  }
  if (isLocked(error)) {
    return fail('store-unavailable', { kind: 'store-locked', database: paths.database })
  }
  return fail('store-unavailable', { kind: 'store-unusable', database: paths.database, why })
}

export function unknownLoop(name: string): Result<never> {
  return fail('unknown-loop', { kind: 'unknown-loop', name })
}
