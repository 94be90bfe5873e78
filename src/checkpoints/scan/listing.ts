/**
 * The names in a directory and what lstat says of each: the one place that looks at the work tree, so that it
 * can be done by several threads. Paths are relative to the tree, one character per byte (latin1), since a
 * name need not be UTF-8.
 */
import { lstatSync, readdirSync, type Stats, statfsSync } from 'node:fs'
import { codeOf, isMissing } from '../git/trouble.ts'
import { clockStepMs, type Stat } from './stat.ts'

/** The device is known where this thread has looked. */
export type ListedDirectory = { name: string; stat: LookedAt }

type LookedAt = Stat & { dev?: number }

const quiet = { throwIfNoEntry: false } as const

/** Throws what the system says where the directory cannot be read; what is gone meanwhile is left out. */
export function listDirectory(tree: string, directory: string): ListedDirectory[] {
  return looked(tree, directory, namesIn(tree, directory))
}

function namesIn(tree: string, directory: string): string[] {
  return readdirSync(locate(tree, directory), { encoding: 'latin1' as BufferEncoding })
}

function looked(tree: string, directory: string, names: readonly string[]): ListedDirectory[] {
  const found: ListedDirectory[] = []
  const isPlain = isAscii(directory) && isAscii(names.join(''))
  const prefix = directory === '' ? `${tree}/` : `${tree}/${directory}/`
  for (const name of names) {
    const stat = lookAt(isPlain ? prefix + name : locate(tree, joinPath(directory, name)))
    if (stat) found.push({ name, stat })
  }
  return found
}

/** Of no kind at all, so that it cannot be saved: a damaged disk, a path that is too long. */
const unseen: LookedAt = { mode: 0, size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 }

/** Null for what is gone. Throws where the directory cannot be entered: that is as if it could not be listed. */
function lookAt(path: string | Buffer): LookedAt | null {
  try {
    return lstatSync(path, quiet) ?? null
  } catch (error) {
    if (codeOf(error) === 'EACCES') throw error
    return isMissing(error) ? null : unseen
  }
}

/** `stat` is that of the directory where it was just looked at: older than its names is what it must be. */
export type Lister = (tree: string, directory: string, stat?: LookedAt) => ListedDirectory[]

type Remembered = { dev: number; ino: number; mtimeMs: number; ctimeMs: number; names: string[] }

/** Where a directory's times change with every name that comes or goes: ext, btrfs, xfs, tmpfs, f2fs, overlay. */
const orderly = new Set([0xef53, 0x9123683e, 0x58465342, 0x01021994, 0xf2f52010, 0x794c7630])

/**
 * Lists directories and remembers their names: while the stat of a directory stays the same, so do its names,
 * and each is looked at without listing them again. As with files, a stat that is too young proves nothing.
 */
export function openLister(): Lister {
  const known = new Map<string, Remembered>()
  let of = ''
  let dev: number | null = null
  return (tree, directory, stat) => {
    if (tree !== of) {
      known.clear()
      of = tree
      dev = orderly.has(statfsSync(tree).type) ? lstatSync(tree).dev : null
    }
    const now = stat?.dev === undefined ? lstatAt(locate(tree, directory)) : stat
    const before = known.get(directory)
    if (now && before && isSameDirectory(now, before)) return looked(tree, directory, before.names)
    const lookedAtMs = Date.now()
    const names = namesIn(tree, directory)
    if (now && now.dev === dev && now.ctimeMs < lookedAtMs - clockStepMs(now.ctimeMs)) {
      const { ino, mtimeMs, ctimeMs } = now
      known.set(directory, { dev, ino, mtimeMs, ctimeMs, names })
    } else known.delete(directory)
    return looked(tree, directory, names)
  }
}

function isSameDirectory(a: LookedAt, b: Remembered): boolean {
  return a.ctimeMs === b.ctimeMs && a.mtimeMs === b.mtimeMs && a.ino === b.ino && a.dev === b.dev
}

export function lstatOrNull(tree: string, path: string): Stats | null {
  return lstatAt(locate(tree, path))
}

/** What an overlay puts where something of its lower layer was deleted: in a working copy it means "not there". */
export function isWhiteout(stat: Stats): boolean {
  return stat.isCharacterDevice() && stat.rdev === 0
}

/** Gone, or behind a directory that cannot be entered: either way nothing can be read. */
function lstatAt(path: string | Buffer): Stats | null {
  try {
    return lstatSync(path, quiet) ?? null
  } catch {
    return null
  }
}

/** Such a name is the same bytes in every encoding. */
function isAscii(name: string): boolean {
  return Buffer.byteLength(name) === name.length
}

export function locate(tree: string, path: string): string | Buffer {
  if (path === '') return tree
  if (isAscii(path)) return `${tree}/${path}`
  return Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(path, 'latin1')])
}

export function joinPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

/** `a`, `a/b` of `a/b/c`. */
export function ancestorsOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

/** For people. */
export function readable(path: string): string {
  return Buffer.from(path, 'latin1').toString()
}
