/**
 * The lock around a change of a configuration file: one process at a time. SQLite takes it, so that the kernel
 * lets go of it when its process dies.
 */
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fail, type Result } from '../../model/failure.ts'
import type { Paths } from '../files/paths.ts'
import { makeDirectory } from './database.ts'

const patienceMs = 10_000

/** Does the work while it holds the lock. */
export function whileLocked<T>({ configLock }: Paths, work: () => Result<T>): Result<T> {
  let lock: DatabaseSync
  try {
    makeDirectory(dirname(configLock))
    lock = new DatabaseSync(configLock, { timeout: patienceMs })
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    const { message } = error as Error
    return fail('system', `${configLock} can not be locked (${message}). Nothing was changed.`)
  }
  try {
    return work()
  } finally {
    lock.close()
  }
}
