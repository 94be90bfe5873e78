/**
 * Is a file a store, and one that this version can use? Two numbers in its header tell. The header is read before
 * SQLite opens the file, since opening alone can create files beside it, change its mode and move its log into it: a
 * store that this version cannot use is left as it is, to the byte.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { fail, type Result } from '../../model/failure.ts'
import type { Paths } from '../files/paths.ts'

/** "loop" in ASCII: no other SQLite file is taken for a store. */
export const applicationId = 0x6c6f6f70

/** Changes only if an older version could not use the store any more. */
export const storeVersion = 100

/** Both are 0 in a file without tables. */
type Identity = { application: number; version: number }

export function isEmpty({ application, version }: Identity): boolean {
  return application === 0 && version === 0
}

export function identityOf(db: DatabaseSync): Identity {
  const pragma = (name: string) => Number(db.prepare(`pragma ${name}`).get()?.[name])
  return { application: pragma('application_id'), version: pragma('user_version') }
}

const magic = 'SQLite format 3\0'

/**
 * Null where the file is missing or no database. A new store can have its first tables in its log alone, and then both
 * numbers are still 0 here.
 */
export function identityInHeader(file: string): Identity | null {
  const header = Buffer.alloc(100)
  try {
    const from = openSync(file, 'r')
    try {
      readSync(from, header, 0, header.length, 0)
    } finally {
      closeSync(from)
    }
  } catch {
    return null // SQLite will say why it cannot be read
  }
  if (header.toString('latin1', 0, magic.length) !== magic) return null
  return { application: header.readInt32BE(68), version: header.readInt32BE(60) }
}

export function strangeByHeader(file: string, paths: Paths): Result<never> | null {
  const identity = identityInHeader(file)
  return identity && strange(identity, file, paths)
}

/** Null where this version can use the file, or create its tables. */
export function strange(identity: Identity, file: string, { data }: Paths): Result<never> | null {
  const { application, version } = identity
  if (isEmpty(identity)) return null
  if (application !== applicationId)
    return fail('store-unavailable', { kind: 'store-unreleased', file, data })
  if (version <= storeVersion) return null
  return fail('store-unavailable', { kind: 'store-newer', database: file, version, known: storeVersion })
}
