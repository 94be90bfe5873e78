/**
 * The programs on the PATH that this user can change: a promise may run any of them. A directory that the user cannot
 * write is left out, because only root can change its programs. Small programs (shims) are compared by content, so that
 * a tool may write the same shim again; large ones by their ctime.
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

/** Programs that were changed, or that were added before another program or under a name that the commands use. */
export function pathChanges(before: PathPrograms, words: readonly string[]): Change[] {
  const named = new Set(words)
  return before.flatMap(({ dir, programs }, i): Change[] => {
    const later = new Set(before.slice(i + 1).flatMap(one => Object.keys(one.programs)))
    return Object.entries(programsIn(dir)).flatMap(([name, print]): Change[] => {
      const was = programs[name]
      if (was === print) return []
      if (was !== undefined) return [{ path: join(dir, name), how: 'changed' }]
      const isAdded = named.has(name) || later.has(name) || isInSystem(name)
      return isAdded ? [{ path: join(dir, name), how: 'added' }] : []
    })
  })
}

const system = ['/usr/local/bin', '/usr/bin', '/bin']

/** Whether a directory that the user cannot write has the program: such directories are not in the list. */
function isInSystem(name: string): boolean {
  return system.some(dir => lstatSync(join(dir, name), { throwIfNoEntry: false }) !== undefined)
}

function programsIn(dir: string): Record<string, string> {
  try {
    // Not by `join`, which looks at every character: there can be thousands.
    const names = readdirSync(dir).slice(0, mostPrograms)
    return Object.fromEntries(names.flatMap(name => [[name, printOf(`${dir}/${name}`)]] as const))
  } catch {
    return {} // the directory is gone: no program is found there
  }
}

function printOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return ''
  try {
    if (stat.isSymbolicLink()) return `link:${readlinkSync(path)}`
    if (stat.isFile() && stat.size <= smallBytes) return hash('sha256', readFileSync(path)).slice(0, 16)
  } catch {
    // Unreadable: its times decide.
  }
  return `${stat.size}:${stat.ctimeMs}:${stat.ino}`
}

/** The real path of a directory that this user can write to. */
function writable(dir: string): string | null {
  try {
    accessSync(dir, constants.W_OK)
    return realpathSync(dir)
  } catch {
    return null
  }
}
