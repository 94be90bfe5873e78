/**
 * Lists a directory of the work tree: its names, and lstat of each. Used by the scan and by its second thread alike,
 * so it makes no difference which of them lists a directory.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { platform } from '../../platform/platform.ts'
import { codeOf, isMissing } from '../errors.ts'
import { clockStepMs, isAscii, joinPath, locate, type Stat } from '../format/file.ts'

/** One name in a directory. `dev` is unknown (undefined) where the second thread called lstat. */
export type ListedDirectory = { name: string; stat: LookedAt }

type LookedAt = Stat & { dev?: number }

const quiet = { throwIfNoEntry: false } as const

/** Throws the system's error where the directory cannot be read. Names that vanish meanwhile are left out. */
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

/** Stands for an entry that lstat fails on (damaged disk, path too long): of no file type, so it cannot be saved. */
const unseen: LookedAt = { mode: 0, size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 }

/** Null for an entry that is gone. Throws where the directory may not be entered, as if it could not be listed. */
function lookAt(path: string | Buffer): LookedAt | null {
  try {
    return lstatSync(path, quiet) ?? null
  } catch (error) {
    if (codeOf(error) === 'EACCES') throw error
    return isMissing(error) ? null : unseen
  }
}

/** `stat`: of the directory itself, if the caller has it; it must have been taken before this call. */
export type Lister = (tree: string, directory: string, stat?: LookedAt) => ListedDirectory[]

type Remembered = { dev: number; ino: number; mtimeMs: number; ctimeMs: number; names: string[] }

/**
 * A lister that remembers names: while the stat of a directory is unchanged, so are its names, and only lstat of each
 * is needed. As with files, this is not believed of a directory that changed a moment ago (see `clockStepMs`).
 */
export function openLister(): Lister {
  const known = new Map<string, Remembered>()
  let of = ''
  let dev: number | null = null
  return (tree, directory, stat) => {
    if (tree !== of) {
      known.clear()
      of = tree
      dev = platform.files.keepsDirectoryTimes(tree) ? lstatSync(tree).dev : null
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

/** Null also for an entry behind a directory that may not be entered: nothing can be read there either. */
function lstatAt(path: string | Buffer): Stats | null {
  try {
    return lstatSync(path, quiet) ?? null
  } catch {
    return null
  }
}
