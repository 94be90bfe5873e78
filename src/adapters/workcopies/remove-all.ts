/**
 * Removes a directory that an agent has worked in. It may have directories without permission to write or list, on
 * which a plain recursive removal fails. Never follows a link.
 */
import { existsSync } from 'node:fs'
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { fail, ok, type Result } from '../../model/failure.ts'

export async function removeAll(path: string): Promise<Result<null>> {
  try {
    await rm(path, { recursive: true, force: true })
    return ok(null)
  } catch {
    // Try again after making every directory writable.
  }
  try {
    await openAll(Buffer.from(path))
    await rm(path, { recursive: true, force: true })
    return ok(null)
  } catch (error) {
    if (!existsSync(path)) return ok(null)
    return fail('step-failed', { kind: 'cannot-be-removed', path, why: (error as Error).message })
  }
}

async function openAll(path: Buffer): Promise<void> {
  const stat = await lstat(path)
  if (!stat.isDirectory()) return
  if ((stat.mode & 0o700) !== 0o700) await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true, encoding: 'buffer' })) {
    if (entry.isDirectory()) await openAll(Buffer.concat([path, slash, entry.name]))
  }
}

const slash = Buffer.from('/')
