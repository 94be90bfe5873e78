/**
 * Removes a directory that an agent has worked in: with directories that nobody may write to or list, which stop a
 * plain recursive removal. Never follows a link.
 */
import { existsSync } from 'node:fs'
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { fail, ok, type Result } from '../../model/failure.ts'

export async function removeAll(path: string): Promise<Result<null>> {
  try {
    await rm(path, { recursive: true, force: true })
    return ok(null)
  } catch {
    // Once more, with every directory opened: what is in the way then is not ours to remove.
  }
  try {
    await openAll(Buffer.from(path))
    await rm(path, { recursive: true, force: true })
    return ok(null)
  } catch (error) {
    if (!existsSync(path)) return ok(null)
    const words = `${path} cannot be removed: ${(error as Error).message}.`
    return fail('step-failed', `${words} Remove it by hand, with the rights that it needs.`)
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
