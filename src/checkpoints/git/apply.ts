/**
 * Applies a difference to the work tree: removes, writes, sets permissions, and reads back what was written.
 * Like git, it removes a file and creates it again in its place: no temporary names that a kill would leave behind.
 * A file that changed since it was saved is not touched: that is a failure, and the same call can be repeated.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { codeOf, isMissing, Unable } from '../errors.ts'
import {
  ancestorsOf,
  isDirectory,
  isLink,
  joinPath,
  locate,
  permissions,
  readable,
  sameStat,
} from '../format/file.ts'
import { ownerOf, setIdBits } from '../format/notes.ts'
import type { Objects } from '../objects/objects.ts'
import type { Reader } from '../objects/reader.ts'
import type { Repository } from '../objects/repository.ts'
import { lstatOrNull } from '../scan/listing.ts'
import type { Dir, File, Snapshot } from '../scan/snapshot.ts'
import { type Change, type Difference, kindOf, type Target, wantedMode } from './difference.ts'
import { messageOf } from './sidecar.ts'

type Work = {
  repository: Repository
  objects: Objects
  reader: Reader
  snapshot: Snapshot
  target: Target
  difference: Difference
  /** FIFOs, sockets and whiteouts that stand where files are to be written. */
  pipes: readonly string[]
  /** Paths that stay as they are, permissions included. */
  spared: ReadonlySet<string>
  /** Nobody else can write to the tree: nothing is read back. */
  isPrivate?: true
  /** The modification time that a file gets, in milliseconds; null for now. */
  timeOf?: ((path: string, id: string) => number | null) | undefined
  signal?: AbortSignal
}

type Hands = Work & {
  tree: string
  /** Directories that were made writable for the time being, and the permissions they get in the end. */
  opened: Map<string, number>
  /** Directories that are writable anyway. */
  open: Set<string>
  /** Directories that are known to exist. */
  checked: Set<string>
  /** Inodes of files that were removed or changed here. */
  touched: Set<number>
}

const filesAtOnce = 16

/** Returns the paths whose permissions could not be set. */
export async function apply(work: Work): Promise<string[]> {
  const { tree } = work.repository
  const seen = { opened: new Map(), open: new Set<string>(), checked: new Set<string>() }
  const hands: Hands = { ...work, tree, ...seen, touched: new Set() }
  const { difference, target } = work
  for (const path of work.pipes) unlinkSync(locate(hands.tree, path))
  for (const { path, file } of difference.remove) removeFile(hands, path, file)
  for (const path of difference.goneDirs.toReversed()) removeDirectory(hands, path)
  for (let at = 0; at < difference.write.length; at += filesAtOnce) {
    work.signal?.throwIfAborted()
    const some = difference.write.slice(at, at + filesAtOnce).map(change => writeFile(hands, change))
    // Wait for all, even if one fails: no write may go on after this function has returned.
    await Promise.allSettled(some)
    await Promise.all(some)
  }
  for (const path of target.notes.empty) makeDirectories(hands, [...ancestorsOf(path), path])
  const refused = setPermissions(hands)
  if (!work.isPrivate) await readBack(hands)
  return refused
}

function removeFile(hands: Hands, path: string, file: File): void {
  mustBeUnchanged(hands, path, file)
  openDirectory(hands, path)
  unlinkSync(locate(hands.tree, path))
}

function mustBeUnchanged({ tree, touched }: Hands, path: string, file: File): void {
  const stat = lstatOrNull(tree, path)
  // A hard link of the same file was handled here before, which changed its ctime and perhaps its mode.
  const own = stat && touched.has(file.ino) ? { ctimeMs: stat.ctimeMs, mode: stat.mode } : {}
  touched.add(file.ino)
  if (stat && sameStat(stat, { ...file, ...own })) return
  throw new Unable({ kind: 'changed-while-restored', tree, paths: [readable(path)] })
}

function removeDirectory(hands: Hands, path: string): void {
  openDirectory(hands, path)
  // Ignored files included: a working copy keeps no directory that the saved tree does not have.
  if (hands.isPrivate) return rmSync(locate(hands.tree, path), { recursive: true, force: true })
  try {
    rmdirSync(locate(hands.tree, path))
    // A file with permissions of its own may come in its place.
    hands.opened.delete(path)
  } catch (error) {
    // ENOTEMPTY, EEXIST: ignored files are left in it, and stay. EBUSY: something is mounted on it.
    const code = codeOf(error) ?? ''
    if (!['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(code) && !isMissing(error)) throw error
  }
}

async function writeFile(hands: Hands, change: Change): Promise<void> {
  const { tree, reader, target } = hands
  const { path, link, exec, id, before } = change
  makeDirectories(hands, ancestorsOf(path))
  if (before) mustBeUnchanged(hands, path, before)
  openDirectory(hands, path)
  const at = locate(tree, path)
  const mode = wantedMode(target, path, exec ? 'exec' : 'file')
  if (before && !link && !isLink(before.mode) && before.id === id)
    return chmodSync(at, ownMode(target, path, { mode, owner: ownerOf(lstatSync(at)) }))
  if (before) unlinkSync(at)
  if (link) return symlinkSync((await reader.read(id)).content, at)
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const file = openSync(at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    await reader.copyTo(id, file)
    fchmodSync(file, ownMode(target, path, { mode, owner: ownerOf(fstatSync(file)) }))
    const time = hands.timeOf?.(path, id) ?? null
    if (time !== null) futimesSync(file, time / 1_000, time / 1_000)
  } finally {
    closeSync(file)
  }
}

/** Owners are not restored, and setuid and setgid act for the owner: only a file with the saved owner gets them. */
function ownMode({ notes }: Target, path: string, now: { mode: number; owner: string }): number {
  return now.owner === notes.owners.get(path) ? now.mode : now.mode & ~setIdBits
}

/** Creates those that are missing. Refuses where something else, such as a link, stands in the place of one. */
function makeDirectories(hands: Hands, paths: readonly string[]): void {
  for (const path of paths) {
    if (hands.checked.has(path)) continue
    const stat = lstatOrNull(hands.tree, path)
    if (!stat) {
      openDirectory(hands, path)
      mkdirSync(locate(hands.tree, path))
      // Its permissions come last: it may be one that nothing can be written into.
      hands.opened.set(path, wantedMode(hands.target, path, 'dir'))
    } else if (!isDirectory(stat.mode))
      throw new Unable({ kind: 'changed-while-restored', tree: hands.tree, paths: [readable(path)] })
    hands.checked.add(path)
  }
}

/** Makes the parent directory of a path writable; `setPermissions` undoes it. */
function openDirectory(hands: Hands, path: string): void {
  const directory = ancestorsOf(path).at(-1) ?? ''
  if (hands.opened.has(directory) || hands.open.has(directory)) return
  const stat = lstatOrNull(hands.tree, directory)
  if (!stat) return
  if ((stat.mode & 0o300) === 0o300) return void hands.open.add(directory)
  hands.opened.set(directory, permissions(stat.mode))
  chmodSync(locate(hands.tree, directory), permissions(stat.mode) | 0o700)
}

function setPermissions(hands: Hands): string[] {
  const refused: string[] = []
  const { tree, target, snapshot, difference, spared } = hands
  const wanted = new Map(hands.opened)
  if (messageOf(snapshot, tree) !== target.message) {
    const paths = [...difference.write, ...difference.remove].map(({ path }) => path)
    const done = new Set([...paths, ...difference.goneDirs, ...spared])
    unusual(snapshot.root, { path: '', target, done, wanted })
  }
  // Deepest first: a directory may lose the permission to enter it.
  for (const [path, mode] of [...wanted].sort(([a], [b]) => (a < b ? 1 : -1))) {
    const stat = lstatOrNull(tree, path)
    if (!stat || isLink(stat.mode)) continue
    const own = isDirectory(stat.mode) ? mode : ownMode(target, path, { mode, owner: ownerOf(stat) })
    if (permissions(stat.mode) !== own && !chmod(tree, path, own)) refused.push(path)
  }
  return refused
}

/** False where it is refused: a file of another user, or a read-only mount. */
function chmod(tree: string, path: string, mode: number): boolean {
  try {
    chmodSync(locate(tree, path), mode)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'EROFS') throw error
    return false
  }
}

/** Finds paths that are in both trees, but with other permissions. */
function unusual(
  dir: Dir,
  at: { path: string; target: Target; done: Set<string>; wanted: Map<string, number> },
): void {
  const { path, target, done, wanted } = at
  const want = (one: string, mode: number) => {
    const mine = wantedMode(target, one, kindOf(mode))
    if (mine !== permissions(mode) || wanted.has(one)) wanted.set(one, mine)
  }
  // Not where a file took its place.
  if (!done.has(path)) want(path, dir.mode)
  for (const [name, file] of dir.files) {
    const one = joinPath(path, name)
    if (!done.has(one) && !isLink(file.mode)) want(one, file.mode)
  }
  for (const [name, child] of dir.dirs) unusual(child, { ...at, path: joinPath(path, name) })
}

/** Compares the files that were written with the target: another process may be writing too. */
async function readBack({ tree, objects, difference, reader }: Hands): Promise<void> {
  await reader.close()
  const wrong: string[] = []
  for (const { path, link, id } of difference.write) {
    const stat = lstatOrNull(tree, path)
    const at = locate(tree, path)
    const isSame = stat && isLink(stat.mode) === link && !isDirectory(stat.mode)
    const found = isSame && (link ? objects.putLink(at) : await objects.putFile(at, undefined))
    if (found !== id) wrong.push(path)
  }
  const written = new Set(difference.write.map(({ path }) => path))
  for (const { path } of difference.remove) {
    // A directory above it may be a file now, or a link to another directory: do not look through that.
    if ([path, ...ancestorsOf(path)].some(at => written.has(at))) continue
    const stat = lstatOrNull(tree, path)
    if (stat && !isDirectory(stat.mode)) wrong.push(path)
  }
  objects.discard()
  if (wrong.length > 0)
    throw new Unable({ kind: 'changed-while-restored', tree, paths: wrong.slice(0, 5).map(readable) })
}
