/**
 * A snapshot: for every saved file of a work tree the id of its content and the stat it had when it was read. A file
 * with the same stat need not be read again, so an old snapshot makes a scan slower but never wrong. The exception
 * are `racy` files, which changed so shortly before they were read that a later change could leave the same stat:
 * they are always read again.
 */

import { clockStepMs, type Stat } from '../format/file.ts'
import type { Usual } from '../format/notes.ts'

export type File = Stat & { id: string; racy: boolean }

export type Dir = {
  mode: number
  files: Map<string, File>
  dirs: Map<string, Dir>
  /** The id of its tree object. Undefined until that is written, null where nothing below is saved. */
  tree?: string | null
  /** Does it, or something below it, need a line in the notes: unusual permissions, an empty directory? */
  odd?: boolean
  /** Set where this is known without its files: all of one kind have the same mode. */
  alike?: Alike
}

/** A whole subtree in which all entries of one kind have the same mode, the directory itself included. */
export type Alike = {
  /** Files and links. */
  count: number
  /** The mode of all files that are not executable, and how many these are. */
  file: number
  files: number
  /** The same for executable files. */
  exec: number
  execs: number
  /** The same for directories. */
  dir: number
  dirs: number
}

/** A lazy directory: its maps of files and subdirectories are built on first access. */
export function lazyDir(alike: Alike, make: { files(): Dir['files']; dirs(): Dir['dirs'] }): Dir {
  let files: Dir['files'] | null = null
  let dirs: Dir['dirs'] | null = null
  return {
    mode: alike.dir,
    alike,
    get files() {
      files ??= make.files()
      return files
    },
    get dirs() {
      dirs ??= make.dirs()
      return dirs
    },
  }
}

/** `lookedMs`: a time not later than the lstat. */
export function fileOf(stat: Stat, id: string, lookedMs: number): File {
  const { mode, size, mtimeMs, ctimeMs, ino } = stat
  return { mode, size, mtimeMs, ctimeMs, ino, id, racy: ctimeMs > lookedMs - clockStepMs(ctimeMs) }
}

export type Snapshot = {
  root: Dir
  usual: Usual
  /** Paths that could not be saved. */
  skipped: readonly string[]
  /** The `mark` of the rules from outside the tree that were followed (scan/outer-rules). */
  rules: string
  /** The id of the checkpoint of exactly this state; null until its commit object is written. */
  checkpoint: string | null
}

/** Every saved file, with its path. */
export function* filesOf(dir: Dir, prefix = ''): Generator<[path: string, file: File]> {
  for (const [name, file] of dir.files) yield [prefix + name, file]
  for (const [name, child] of dir.dirs) yield* filesOf(child, `${prefix}${name}/`)
}

/** The path of every directory, in the order of a scan. */
export function directoriesOf(root: Dir): string[] {
  const found: string[] = []
  const collect = (dir: Dir, path: string): void => {
    found.push(path)
    for (const [name, child] of dir.dirs) collect(child, path === '' ? name : `${path}/${name}`)
  }
  collect(root, '')
  return found
}

export function fileAt(root: Dir, path: string): File | undefined {
  const names = path.split('/')
  const last = names.pop() ?? ''
  return dirAt(root, names)?.files.get(last)
}

export function dirAt(root: Dir, names: readonly string[]): Dir | undefined {
  let dir: Dir | undefined = root
  for (const name of names) dir = dir?.dirs.get(name)
  return dir
}
