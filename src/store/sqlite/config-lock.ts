/** The lock around a change of a configuration file: one process at a time, and free when that process dies. */
import { dirname } from 'node:path'
import { fail, type Result } from '../../model/failure.ts'
import { makeDirectory } from '../files/directory.ts'
import type { Paths } from '../files/paths.ts'
import { waitForLock } from './lock.ts'

const patienceMs = 10_000

/** Does the work while it holds the lock. */
export function whileLocked<T>({ configLock }: Paths, work: () => Result<T>): Result<T> {
  let lock: ReturnType<typeof waitForLock>
  try {
    makeDirectory(dirname(configLock))
    lock = waitForLock(configLock, patienceMs)
  } catch (error) {
    const { message } = error as Error
    return fail('system', `${configLock} cannot be locked (${message}). Nothing was changed.`)
  }
  try {
    return work()
  } finally {
    lock.close()
  }
}
