/**
 * What must be done to a tree to make it another one: found by reading only those tree objects that differ.
 * Permissions and empty directories come from the notes of the checkpoint.
 */

import type { Reader } from '../objects/reader.ts'
import { ancestorsOf, joinPath } from '../scan/listing.ts'
import { type Dir, type File, filesOf, type Snapshot } from '../scan/snapshot.ts'
import { gitMode, isDirectory } from '../scan/stat.ts'
import { type Notes, parseMessage } from './sidecar.ts'
import { Unable } from './trouble.ts'

export type Target = { id: string; tree: string; notes: Notes; message: string }

/** A file the target has; `before` is what is there now. */
export type Change = { path: string; link: boolean; exec: boolean; id: string; before: File | null }

export type Difference = {
  write: Change[]
  remove: { path: string; file: File }[]
  /** Directories that are in the tree and not in the target, outermost first. */
  goneDirs: string[]
}

export async function readTarget(reader: Reader, id: string): Promise<Target> {
  const { kind, content } = await reader.read(id)
  // A checkpoint of an older version of loop is a bare tree.
  if (kind === 'tree') return { id, tree: id, notes: parseMessage(''), message: '' }
  if (kind !== 'commit') throw new Unable(`${id} is no checkpoint, but a ${kind}. See loop history.`)
  const text = content.toString()
  const message = text.slice(text.indexOf('\n\n') + 2)
  return { id, tree: text.slice(5, text.indexOf('\n')), notes: parseMessage(message), message }
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
    if (entry.mode === '40000') {
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

/** Directories without anything saved are in no tree object, so comparing those does not find them. */
function unsavedDirs(dir: Dir, path: string, found: string[]): void {
  if (dir.odd === false) return
  for (const [name, child] of dir.dirs) {
    const at = joinPath(path, name)
    if (child.tree === null) found.push(at)
    unsavedDirs(child, at, found)
  }
}

export type TreeEntry = { mode: string; name: string; id: string }

export async function readTree(reader: Reader, id: string): Promise<TreeEntry[]> {
  const { content } = await reader.read(id)
  const entries = []
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at)
    const end = content.indexOf(0, space)
    entries.push({
      mode: modeOf(content.toString('latin1', at, space)),
      name: content.toString('latin1', space + 1, end),
      id: content.toString('hex', end + 1, end + 21),
    })
    at = end + 21
  }
  return entries
}

/** As git would write it: other programs write `040000` and `100664` too, and their trees are in repositories. */
function modeOf(text: string): string {
  const mode = Number.parseInt(text, 8)
  return isDirectory(mode) ? '40000' : gitMode(mode)
}

/** The permissions the target has for a path; null where it says nothing. */
export function wantedMode({ notes }: Target, path: string, kind: 'file' | 'exec' | 'dir'): number | null {
  const unusual = notes.modes.get(kind === 'dir' ? `${path}/` : path)
  if (unusual !== undefined) return unusual
  if (notes.usual) return notes.usual[kind]
  if (kind === 'dir') return null
  return kind === 'exec' ? 0o755 : 0o644
}

export function kindOf(mode: number): 'file' | 'exec' | 'dir' {
  if (isDirectory(mode)) return 'dir'
  return mode & 0o100 ? 'exec' : 'file'
}
