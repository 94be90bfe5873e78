/**
 * What is known of a work tree: for every saved file the id of its bytes and the stat it had when they were
 * read. A file whose stat is still the same needs no reading. An entry proves itself, so an old snapshot is
 * slower but never wrong: but for `racy` ones, changed so shortly before the look that a later change could
 * leave the same stat.
 */
import { clockStepMs, isDirectory, type Stat } from './stat.ts'

export type File = Stat & { id: string; racy: boolean }

export type Dir = {
  mode: number
  files: Map<string, File>
  dirs: Map<string, Dir>
  /** Undefined until it is written, null where nothing below is saved. */
  tree?: string | null
  /** Whether it or something below it needs a note: unusual permissions, an empty directory. */
  odd?: boolean
  /** Where it is known without its files. */
  alike?: Alike
}

/**
 * Of all that is in a directory, at any depth: how many files and links there are; the one mode of those files that
 * cannot be executed, and how many these are; so for those that can, and for directories, itself too.
 */
export type Alike = {
  count: number
  file: number
  files: number
  exec: number
  execs: number
  dir: number
  dirs: number
}

/** A directory of which nothing is made before somebody asks: much can be said without. */
export function lateDir(alike: Alike, make: { files(): Dir['files']; dirs(): Dir['dirs'] }): Dir {
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

/** `lookedMs`: no later than it had this stat. */
export function fileOf(stat: Stat, id: string, lookedMs: number): File {
  const { mode, size, mtimeMs, ctimeMs, ino } = stat
  return { mode, size, mtimeMs, ctimeMs, ino, id, racy: ctimeMs > lookedMs - clockStepMs(ctimeMs) }
}

/** Permissions that need no note: of files, executable files and directories. */
export type Usual = { file: number; exec: number; dir: number }

/** `checkpoint`: the id of the commit object that says all this; null until it is written. */
export type Snapshot = {
  root: Dir
  usual: Usual
  /** Paths that could not be saved. */
  skipped: readonly string[]
  /** Which rules from outside the tree were followed, as `mark` of outer-rules says it. */
  rules: string
  checkpoint: string | null
}

export function usualFor(mode: number, usual: Usual): number {
  if (isDirectory(mode)) return usual.dir
  return mode & 0o100 ? usual.exec : usual.file
}

/** Every saved file, with its path. */
export function* filesOf(dir: Dir, prefix = ''): Generator<[path: string, file: File]> {
  for (const [name, file] of dir.files) yield [prefix + name, file]
  for (const [name, child] of dir.dirs) yield* filesOf(child, `${prefix}${name}/`)
}

/** Every directory, in the order a scan goes. */
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
