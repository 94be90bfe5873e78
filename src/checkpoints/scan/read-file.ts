/** One file of the work tree, read into the store: it may be gone, unreadable, or something else by now. */
import { codeOf, isMissing } from '../git/trouble.ts'
import { ChangedWhileRead, type Objects } from '../objects/objects.ts'
import { isWhiteout, locate, lstatOrNull } from './listing.ts'
import { type File, fileOf } from './snapshot.ts'
import { isDirectory, isLink, isRegular, type Stat } from './stat.ts'

type Reads = {
  tree: string
  objects: Objects
  signal: AbortSignal | undefined
  startedMs: number
  /** What cannot be saved is added here. */
  skipped: string[]
}

/** Null for what is gone, and for what cannot be saved: that is noted. */
export async function readFile(state: Reads, path: string, stat: Stat): Promise<File | null> {
  if (!isLink(stat.mode) && !isRegular(stat.mode)) {
    const now = lstatOrNull(state.tree, path)
    if (!now || !isWhiteout(now)) state.skipped.push(path)
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
  // It became something else between the look and the reading.
  if (error instanceof ChangedWhileRead || code === 'ELOOP' || code === 'EINVAL' || code === 'ENXIO') {
    const stat = lstatOrNull(state.tree, path)
    return stat && !isDirectory(stat.mode) ? readFile(state, path, stat) : null
  }
  if (isMissing(error)) return null
  if (code !== 'EACCES' && code !== 'EPERM') throw error
  state.skipped.push(path)
  return null
}
