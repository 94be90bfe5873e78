/**
 * Compares a snapshot of the work tree with a checkpoint (the target): which files must be written and removed to make
 * the tree equal to it? Only tree objects that differ are read. Permissions and empty directories are in the notes.
 */
import { Unable } from '../errors.ts'
import { ancestorsOf, gitMode, isDirectory, joinPath } from '../format/file.ts'
import { type Notes, parseMessage } from '../format/notes.ts'
import { parseCommit, parseTree, type TreeEntry, treeMode } from '../format/tree.ts'
import type { Reader } from '../objects/reader.ts'
import { type Dir, type File, filesOf, type Snapshot } from '../scan/snapshot.ts'

export type Target = { id: string; tree: string; notes: Notes; message: string }

/** A file of the target that must be written; `before` is the file that is there now. */
export type Change = { path: string; link: boolean; exec: boolean; id: string; before: File | null }

export type Difference = {
  write: Change[]
  remove: { path: string; file: File }[]
  /** Directories that are in the tree and not in the target, outermost first. */
  goneDirs: string[]
}

export async function readTarget(reader: Reader, id: string): Promise<Target> {
  const { kind, content } = await reader.read(id)
  if (kind !== 'commit') throw new Unable({ kind: 'not-a-checkpoint', id, is: kind })
  const { tree, message } = parseCommit(content)
  return { id, tree, notes: parseMessage(message), message }
}

export async function compare(reader: Reader, now: Snapshot, target: Target): Promise<Difference> {
  const difference: Difference = { write: [], remove: [], goneDirs: [] }
  await compareDir({ reader, difference }, { path: '', dir: now.root, tree: target.tree })
  unsavedDirs(now.root, '', difference.goneDirs)
  const stay = new Set(difference.write.flatMap(({ path }) => ancestorsOf(path)))
  for (const path of target.notes.empty) for (const at of [path, ...ancestorsOf(path)]) stay.add(at)
  difference.goneDirs = [...new Set(difference.goneDirs)].filter(path => !stay.has(path)).sort()
  return difference
}

type Comparison = { reader: Reader; difference: Difference }

async function compareDir(
  comparison: Comparison,
  pair: { path: string; dir: Dir | null; tree: string },
): Promise<void> {
  const { reader, difference } = comparison
  const { path, dir, tree } = pair
  if (dir?.tree === tree) return
  const seen = new Set<string>()
  const below: Promise<void>[] = []
  for (const entry of await readTree(reader, tree)) {
    const at = joinPath(path, entry.name)
    const file = dir?.files.get(entry.name) ?? null
    const child = dir?.dirs.get(entry.name) ?? null
    seen.add(entry.name)
    if (entry.mode === treeMode) {
      if (file) difference.remove.push({ path: at, file })
      below.push(compareDir(comparison, { path: at, dir: child, tree: entry.id }))
      continue
    }
    if (child) removeAll(child, at, difference)
    const isSame = file && file.id === entry.id && gitMode(file.mode) === entry.mode
    if (!isSame) difference.write.push(changeOf(at, entry, file))
  }
  for (const [name, file] of dir?.files ?? []) {
    if (!seen.has(name)) difference.remove.push({ path: joinPath(path, name), file })
  }
  for (const [name, child] of dir?.dirs ?? []) {
    if (!seen.has(name)) removeAll(child, joinPath(path, name), difference)
  }
  await Promise.all(below)
}

function changeOf(path: string, entry: { mode: string; id: string }, before: File | null): Change {
  return { path, link: entry.mode === '120000', exec: entry.mode === '100755', id: entry.id, before }
}

function removeAll(dir: Dir, path: string, difference: Difference): void {
  for (const [at, file] of filesOf(dir, `${path}/`)) difference.remove.push({ path: at, file })
  const collect = (child: Dir, at: string): void => {
    difference.goneDirs.push(at)
    for (const [name, below] of child.dirs) collect(below, joinPath(at, name))
  }
  collect(dir, path)
}

/** Directories in which nothing is saved are in no tree object: comparing tree objects does not find them. */
function unsavedDirs(dir: Dir, path: string, found: string[]): void {
  if (dir.odd === false) return
  for (const [name, child] of dir.dirs) {
    const at = joinPath(path, name)
    if (child.tree === null) found.push(at)
    unsavedDirs(child, at, found)
  }
}

export async function readTree(reader: Reader, id: string): Promise<TreeEntry[]> {
  return parseTree((await reader.read(id)).content)
}

/** The permissions of a path in the target. */
export function wantedMode({ notes }: Target, path: string, kind: 'file' | 'exec' | 'dir'): number {
  return notes.modes.get(kind === 'dir' ? `${path}/` : path) ?? notes.usual[kind]
}

export function kindOf(mode: number): 'file' | 'exec' | 'dir' {
  if (isDirectory(mode)) return 'dir'
  return mode & 0o100 ? 'exec' : 'file'
}
