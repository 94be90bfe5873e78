/**
 * The programs on the PATH that this user can change: a promise may run any of them. A directory that the user cannot
 * write is left out, because only root can change its programs. A program with the same size, ctime and inode is the
 * same one. Otherwise links and small programs (shims) are compared by content, so that a tool may write the same shim
 * again.
 */
import { hash } from 'node:crypto'
import {
  accessSync,
  constants,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { delimiter, join } from 'node:path'

/** In the order of the PATH: each directory with its programs and their fingerprints. */
export type PathPrograms = { dir: string; programs: Record<string, string> }[]

type Change = { path: string; how: 'changed' | 'added' }

const mostPrograms = 5_000
const smallBytes = 4096

export function programsOnPath(path: string): PathPrograms {
  // By its real path, since /bin is a link to /usr/bin on most systems.
  const dirs = new Map<string, string>()
  for (const dir of path.split(delimiter)) {
    const real = dir.startsWith('/') ? writable(dir) : null
    if (real !== null && !dirs.has(real)) dirs.set(real, dir)
  }
  return Array.from(dirs.values(), dir => ({ dir, programs: programsIn(dir) }))
}

/**
 * Programs that were changed, or that were added before another program or under a name that the commands use. A file
 * that cannot be executed is passed over by the search, except where a shell reads a file by its name.
 */
export function pathChanges(before: PathPrograms, words: readonly string[]): Change[] {
  const named = new Set(words)
  const isSourced = words.some(word => /^(?:\.|source|bash)$/.test(word))
  return before.flatMap(({ dir, programs }, i): Change[] => {
    const isLater = (name: string) => before.slice(i + 1).some(one => Object.hasOwn(one.programs, name))
    return namesIn(dir).flatMap((name): Change[] => {
      const was = programs[name]
      if (was !== undefined)
        return isSame(was, `${dir}/${name}`) ? [] : [{ path: join(dir, name), how: 'changed' }]
      const path = join(dir, name)
      const isMeant = named.has(name) || isLater(name) || isInOtherSystem(name, dir)
      const isFound = isExecutable(path) || (isSourced && named.has(name))
      return isMeant && isFound ? [{ path, how: 'added' }] : []
    })
  })
}

const system = ['/usr/local/bin', '/usr/bin', '/bin']

/**
 * Whether another directory of the system has the program: those that the user cannot write are not in the list. Told
 * apart by the real directory, or root would find the new file itself there.
 */
function isInOtherSystem(name: string, dir: string): boolean {
  const own = realOf(dir)
  return system.some(
    other => lstatSync(join(other, name), { throwIfNoEntry: false }) !== undefined && realOf(other) !== own,
  )
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function programsIn(dir: string): Record<string, string> {
  // Not by `join`, which looks at every character: there can be thousands.
  return Object.fromEntries(namesIn(dir).map(name => [name, printOf(`${dir}/${name}`)]))
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).slice(0, mostPrograms)
  } catch {
    return [] // the directory is gone: no program is found there
  }
}

/** Its size, ctime and inode; after a `=` the content of a link or of a small program. */
function printOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return ''
  const content = contentOf(path, stat)
  return content === null ? timesOf(stat) : `${timesOf(stat)}=${content}`
}

/** `was`: a fingerprint. */
function isSame(was: string, path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return was === ''
  const times = timesOf(stat)
  if (was === times || was.startsWith(`${times}=`)) return true
  const content = contentOf(path, stat)
  return content !== null && was.slice(was.indexOf('=') + 1) === content
}

function timesOf({ size, ctimeMs, ino }: Stats): string {
  return `${size}:${ctimeMs}:${ino}`
}

/** Null if it is too large, or unreadable: then its times decide. */
function contentOf(path: string, stat: Stats): string | null {
  try {
    if (stat.isSymbolicLink()) return `link:${readlinkSync(path)}`
    const isSmall = stat.isFile() && stat.size <= smallBytes
    return isSmall ? hash('sha256', readFileSync(path)).slice(0, 16) : null
  } catch {
    return null
  }
}

/** The real path of a directory that this user can write to. */
function writable(dir: string): string | null {
  try {
    accessSync(dir, constants.W_OK)
    return realOf(dir)
  } catch {
    return null
  }
}

/** Null if it is gone. */
function realOf(dir: string): string | null {
  try {
    return realpathSync(dir)
  } catch {
    return null
  }
}
