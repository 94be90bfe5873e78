/** Reads one file of the work tree into the store. By now it may be gone, unreadable, or of another type. */

import { platform } from '../../platform/platform.ts'
import { codeOf, isMissing } from '../errors.ts'
import { locate } from '../format/path.ts'
import { isDirectory, isLink, isRegular, type Stat } from '../format/stat.ts'
import { ChangedWhileRead, type Objects } from '../objects/objects.ts'
import { lstatOrNull } from './listing.ts'
import { type File, fileOf } from './snapshot.ts'

type Reads = {
  tree: string
  objects: Objects
  signal: AbortSignal | undefined
  startedMs: number
  /** Paths that cannot be saved are added here. */
  skipped: string[]
}

/** Null for a file that is gone, and for one that cannot be saved, which is added to `skipped`. */
export async function readFile(state: Reads, path: string, stat: Stat): Promise<File | null> {
  if (!isLink(stat.mode) && !isRegular(stat.mode)) {
    const now = lstatOrNull(state.tree, path)
    if (!now || !platform.files.isWhiteout(now)) state.skipped.push(path)
    return null
  }
  try {
    const at = locate(state.tree, path)
    const id = isLink(stat.mode) ? state.objects.putLink(at) : await state.objects.putFile(at, state.signal)
    return fileOf(stat, id, state.startedMs)
  } catch (error) {
    return unread(state, path, error)
  }
}

async function unread(state: Reads, path: string, error: unknown): Promise<File | null> {
  const code = codeOf(error)
  // It changed its type between lstat and reading.
  if (error instanceof ChangedWhileRead || code === 'ELOOP' || code === 'EINVAL' || code === 'ENXIO') {
    const stat = lstatOrNull(state.tree, path)
    return stat && !isDirectory(stat.mode) ? readFile(state, path, stat) : null
  }
  if (isMissing(error)) return null
  if (code !== 'EACCES' && code !== 'EPERM') throw error
  state.skipped.push(path)
  return null
}
