/**
 * Every program on the PATH, as far as this user could change it: a promise may run any of them. A directory that cannot
 * be written is left out, since nobody but root changes what is in it. Small programs (shims) are compared by content,
 * so that a tool that writes them anew changes nothing; of large ones the time of the last change of status tells.
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

/** In the order of the PATH: the programs of each directory and what tells each from another. */
export type PathPrograms = { dir: string; programs: Record<string, string> }[]

type Change = { path: string; how: 'changed' | 'added' }

const mostPrograms = 5_000
const smallBytes = 4096

export function programsOnPath(path: string): PathPrograms {
  const dirs = [...new Set(path.split(delimiter))].filter(dir => dir.startsWith('/') && isWritable(dir))
  // Where /bin is a link to /usr/bin, the second adds nothing to the first.
  const once = new Map(dirs.toReversed().map(dir => [realpathSync(dir), dir]))
  return dirs.filter(dir => [...once.values()].includes(dir)).map(dir => ({ dir, programs: programsIn(dir) }))
}

/** A program that was changed, or that was added in front of another one or under a name that the commands use. */
export function pathChanges(before: PathPrograms, words: readonly string[]): Change[] {
  const named = new Set(words)
  return before.flatMap(({ dir, programs }, i): Change[] => {
    const later = new Set(before.slice(i + 1).flatMap(one => Object.keys(one.programs)))
    return Object.entries(programsIn(dir)).flatMap(([name, print]): Change[] => {
      const path = join(dir, name)
      const was = programs[name]
      if (was !== undefined) return was === print ? [] : [{ path, how: 'changed' }]
      return named.has(name) || later.has(name) || isInSystem(name) ? [{ path, how: 'added' }] : []
    })
  })
}

const system = ['/usr/local/bin', '/usr/bin', '/bin']

/** Directories that cannot be written are not in the list. */
function isInSystem(name: string): boolean {
  return system.some(dir => lstatSync(join(dir, name), { throwIfNoEntry: false }) !== undefined)
}

function programsIn(dir: string): Record<string, string> {
  try {
    const names = readdirSync(dir).slice(0, mostPrograms)
    return Object.fromEntries(names.flatMap(name => [[name, printOf(join(dir, name))]] as const))
  } catch {
    return {} // it is gone: then no program is found there
  }
}

function printOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return ''
  try {
    if (stat.isSymbolicLink()) return `link:${readlinkSync(path)}`
    if (stat.isFile() && stat.size <= smallBytes) return hash('sha256', readFileSync(path)).slice(0, 16)
  } catch {
    // Closed to us: its times tell.
  }
  return `${stat.size}:${stat.ctimeMs}:${stat.ino}`
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK)
    return true
  } catch {
    return false
  }
}
