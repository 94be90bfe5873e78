/**
 * Which files the user's repository tracks: a tracked file is saved though it is ignored. The index is read on first
 * use, and again once it has changed; as a file, nothing of the user's repository is run.
 */
import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../errors.ts'
import { mostIndexBytes, parseIndex, type UserIndex } from '../format/user-index.ts'
import { type UserRepository, userRepository } from './outer-rules.ts'
import { readSetting } from './user-config.ts'

export type Tracked = {
  user: UserRepository
  /** Null where only the paths can be used: a split index, or ids of SHA-256. */
  index: UserIndex | null
  /** Is this path tracked? For a directory, whose path ends with a slash: is anything below it? */
  has(path: string): boolean
}

export type Tracker = {
  /** Null outside of a repository, and where there is no readable index. */
  now(): Tracked | null
  /** The size of the index file in bytes, as a guess at how much is tracked. */
  size(): number
}

export function openTracker(tree: string): Tracker {
  let stamp = ''
  let last: Tracked | null = null

  function look(): { user: UserRepository; stat: Stats } | null {
    const user = userRepository(tree)
    const stat = user ? statSync(join(user.ownDirectory, 'index'), { throwIfNoEntry: false }) : undefined
    return user && stat ? { user, stat } : null
  }

  return {
    size: () => look()?.stat.size ?? 0,
    now() {
      const found = look()
      if (!found) return null
      const { user, stat } = found
      const own = [user.ownDirectory, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join()
      if (own !== stamp) last = readIndexes(user, stat.mtimeMs)
      stamp = own
      return last
    },
  }
}

function readIndexes(user: UserRepository, writtenMs: number): Tracked | null {
  try {
    const isLong = /objectformat\s*=\s*sha256/i.test(readSetting(join(user.gitDirectory, 'config')))
    const known = { ids: isLong ? 'sha256' : 'sha1', prefix: user.prefix, writtenMs } as const
    const parse = (name: string) =>
      parseIndex({ content: contentOf(join(user.ownDirectory, name)), ...known })
    const index = parse('index')
    if (!index) return null
    const rest = index.rest === null ? null : parse(`sharedindex.${index.rest}`)
    const has = (path: string) => tracks(index, path) || (rest !== null && tracks(rest, path))
    return { user, index: isLong || index.rest !== null ? null : index, has }
  } catch (error) {
    if (isMissing(error) || error instanceof RangeError) return null
    throw error
  }
}

function tracks(index: UserIndex, path: string): boolean {
  if (path.endsWith('/')) return index.filesIn(path.slice(0, -1)) !== null
  const slash = path.lastIndexOf('/')
  return index.filesIn(path.slice(0, Math.max(0, slash)))?.has(path.slice(slash + 1)) === true
}

/** In memory that the second thread can read too. Empty for a pipe, which would block for ever, and for a huge file. */
function contentOf(path: string): SharedArrayBuffer {
  const stat = statSync(path)
  if (!stat.isFile() || stat.size > mostIndexBytes) return new SharedArrayBuffer(0)
  const file = openSync(path, 'r')
  try {
    const content = new SharedArrayBuffer(fstatSync(file).size)
    const bytes = new Uint8Array(content)
    let at = 0
    for (let got = -1; got !== 0 && at < bytes.length; at += got) got = readSync(file, bytes.subarray(at))
    return content
  } finally {
    closeSync(file)
  }
}
