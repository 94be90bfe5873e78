/** The lock for changes of a configuration file: one process at a time; the kernel frees it when that process dies. */
import { dirname } from 'node:path'
import { fail, type Result } from '../../model/failure.ts'
import { makeDirectory } from '../files/directory.ts'
import type { Paths } from '../files/paths.ts'
import { waitForLock } from './lock.ts'

const patienceMs = 10_000

/** Waits for the lock and does the work while holding it. */
export function whileLocked<T>({ configLock }: Paths, work: () => Result<T>): Result<T> {
  let lock: ReturnType<typeof waitForLock>
  try {
    makeDirectory(dirname(configLock))
    lock = waitForLock(configLock, patienceMs)
  } catch (error) {
    const { message } = error as Error
    return fail('system', { kind: 'config-unlockable', path: configLock, why: message })
  }
  try {
    return work()
  } finally {
    lock.close()
  }
}
