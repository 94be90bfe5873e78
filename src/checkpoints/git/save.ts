/**
 * Saves the tree: scans it, writes tree objects for directories that changed, and a commit object with the notes.
 * Keeps the snapshot of the last scan, in memory and as a file.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gitMode } from '../format/file.ts'
import type { Rules } from '../format/ignore-rules.ts'
import type { Usual } from '../format/notes.ts'
import { commitText, type TreeEntry, treeBytes, treeMode } from '../format/tree.ts'
import type { Objects } from '../objects/objects.ts'
import { isPlainFile, type Repository, writeWhenDifferent } from '../objects/repository.ts'
import { openCache } from '../scan/cache.ts'
import { smallEnough } from '../scan/ignored.ts'
import { lstatOrNull } from '../scan/listing.ts'
import { outerRules } from '../scan/outer-rules.ts'
import { type Given, type Scanned, scan } from '../scan/scan.ts'
import { type Dir, directoriesOf, fileAt, fileOf, type Snapshot } from '../scan/snapshot.ts'
import { openTracker, type Tracker } from '../scan/tracked.ts'
import { openWalkers, startThread, type Walkers } from '../scan/walkers.ts'
import { scanSeeded } from '../seed.ts'
import type { Change } from './difference.ts'
import { messageOf, usualOf } from './sidecar.ts'

export type SavedTree = { id: string; snapshot: Snapshot }

type SaveOptions = {
  signal?: AbortSignal | undefined
  /** Paths to save though they are ignored; those of directories end with a slash. */
  hold?: ReadonlySet<string>
  /** A frozen copy of the tree to read instead of it. */
  from?: string
}

export type Saver = {
  /** Scans the tree as it is now. Nothing is durable before `settle`. Throws the system's error. */
  look(options: SaveOptions): Promise<SavedTree>
  /** Makes the objects of `look` durable, with everything else in the batch. If it throws, nothing of them counts. */
  settle(signal?: AbortSignal): Promise<void>
  /** Writes the snapshot of `look` to its file, when it is worth it. */
  remember(): void
  /** Drops the snapshot: the objects in the store may have changed. */
  forget(): void
  /** Brings a snapshot up to date after a restore, without a scan. */
  adopt(snapshot: Snapshot, changes: Adopted): void
  /** The modification time of a file in the last snapshot, if it had this id there; else null. */
  timeOf(path: string, id: string): number | null
}

/**
 * What a restore did. `written`: files that are the target's now. `forgotten`: files that stay, but are not saved any
 * more. `isPrivate`: nobody else writes to the tree, so that files need not be read again.
 */
type Adopted = { written: readonly Change[]; forgotten: ReadonlySet<string>; isPrivate?: true }

/** `seed`: may the first scan take ids from the user's repository? */
type Parts = { repository: Repository; objects: Objects; ignoredToo: boolean; seed: boolean }

const nothing: ReadonlySet<string> = new Set()
/** In bytes: the index of some ten thousand files. */
const largeIndex = 3_000_000

export function openSaver(parts: Parts): Saver {
  const { repository, objects } = parts
  const { tree } = repository
  const eyes = { ...parts, walkers: openWalkers(), tracker: openTracker(tree) }
  let last: Snapshot | null = null
  let scanned = { read: 0, files: 0 }
  const cache = openCache(join(repository.dir, repository.cache))

  async function look(options: SaveOptions): Promise<SavedTree> {
    last ??= cache.read(objects.has)
    const known = last
    const { rules, mark } = outerRules(repository)
    const { root, skipped, files, read } = await scanTree({ ...eyes, known, outer: rules }, options)
    const isSame = root === known?.root && known.rules === mark && isDeepStrictEqual(skipped, known.skipped)
    if (known?.checkpoint && isSame) return { id: known.checkpoint, snapshot: known }
    const usual = known?.usual ?? usualIn(repository, root)
    const snapshot = { root, usual, skipped, rules: mark, checkpoint: null }
    const message = messageOf(snapshot, options.from ?? tree)
    const id = objects.put('commit', commitText({ tree: rootTree(objects, root), message }))
    last = { ...snapshot, checkpoint: id }
    scanned = { read: scanned.read + read, files }
    return { id, snapshot: last }
  }

  async function orForget<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      objects.discard()
      repository.batch.discard()
      // The snapshot names objects that were just discarded.
      last = null
      throw error
    }
  }

  return {
    look: options => orForget(() => look(options)),
    forget() {
      last = null
    },
    settle: signal => orForget(() => objects.flush(signal)),
    remember() {
      if (last && scanned.files > 0) cache.changed(last, scanned)
      scanned = { read: 0, files: 0 }
    },
    adopt(snapshot, { written, forgotten, isPrivate = false }) {
      for (const { path, id } of written) setFile(tree, snapshot.root, { path, id, isPrivate })
      for (const path of forgotten) removeFile(snapshot.root, path)
      last = { ...snapshot, checkpoint: null }
      // Which ignored files are saved is recorded nowhere else: write the file now.
      const isPlain = forgotten.size === 0 && written.every(({ before }) => before !== null)
      if (!isPlain) cache.write(last)
    },
    timeOf(path, id) {
      last ??= cache.read(objects.has)
      return timeIn(last, path, id)
    },
  }
}

function timeIn(known: Snapshot | null, path: string, id: string): number | null {
  const file = known && fileAt(known.root, path)
  return file?.id === id ? file.mtimeMs : null
}

type Eyes = Parts & {
  walkers: Walkers
  tracker: Tracker
  known: Snapshot | null
  outer: readonly Rules[]
}

async function scanTree(eyes: Eyes, options: SaveOptions): Promise<Scanned> {
  const { repository, objects, known, walkers, tracker, outer } = eyes
  const { signal, hold = nothing, from = repository.tree } = options
  const isSeeded = !known && eyes.seed
  if (isSeeded && tracker.size() > largeIndex) startThread()
  let tracked = isSeeded ? tracker.now() : undefined
  const holds = (path: string) => {
    if (tracked === undefined) tracked = tracker.now()
    return hold.has(path) || tracked?.has(path) === true
  }
  // A new one for each scan: it counts down what may still be included.
  const includes = () => (eyes.ignoredToo ? smallEnough(from) : null)
  const request = { tree: from, objects, outer, holds, signal }
  const expected = known ? directoriesOf(known.root) : []
  const scanWith = (root: Dir | null, given: Given | null) => {
    const walk = walkers.walk(from, expected)
    const own = { list: walk.list, known: root, seed: given, includes: includes() }
    return scan({ ...request, ...own }).finally(walk.end)
  }
  if (!tracked) return scanWith(known?.root ?? null, null)
  return scanSeeded({ tracked, repository, objects, from, signal }, scanWith)
}

/** The usual permissions are fixed with the first checkpoint of a store, so that notes can be compared. */
function usualIn(repository: Repository, root: Dir): Usual {
  const path = join(repository.dir, 'usual')
  // The file may be empty after a power cut: then no checkpoint has used it yet.
  const text = isPlainFile(path) ? readFileSync(path, 'utf8') : ''
  if (text.endsWith('}')) return JSON.parse(text)
  const usual = usualOf(root)
  writeWhenDifferent(repository, 'usual', Buffer.from(JSON.stringify(usual)))
  return usual
}

type Written = { path: string; id: string; isPrivate: boolean }

/** Marked as racy, so that the next scan reads it again, unless nobody else can have written there. */
function setFile(tree: string, root: Dir, { path, id, isPrivate }: Written): void {
  const stat = lstatOrNull(tree, path)
  if (!stat) return
  let dir = touch(root)
  const names = path.split('/')
  const last = names.pop() ?? ''
  for (const name of names) {
    dir.files.delete(name)
    const child: Dir = dir.dirs.get(name) ?? { mode: 0, files: new Map(), dirs: new Map() }
    dir.dirs.set(name, child)
    dir = touch(child)
  }
  dir.dirs.delete(last)
  const file = fileOf(stat, id, Date.now())
  dir.files.set(last, isPrivate ? file : { ...file, racy: true })
}

function removeFile(root: Dir, path: string): void {
  let dir: Dir | undefined = touch(root)
  const names = path.split('/')
  const last = names.pop() ?? ''
  for (const name of names) {
    dir = dir?.dirs.get(name)
    if (dir) touch(dir)
  }
  dir?.files.delete(last)
}

/** Drops what was derived from the content of a directory that is about to change. */
function touch(dir: Dir): Dir {
  delete dir.tree
  delete dir.odd
  delete dir.alike
  return dir
}

function rootTree(objects: Objects, root: Dir): string {
  return writeTree(objects, root) ?? objects.put('tree', Buffer.alloc(0))
}

/** Null where nothing below is saved: git has no rows for empty trees. */
function writeTree(objects: Objects, dir: Dir): string | null {
  if (dir.tree !== undefined) return dir.tree
  const rows: TreeEntry[] = []
  for (const [name, file] of dir.files) rows.push({ mode: gitMode(file.mode), name, id: file.id })
  for (const [name, child] of dir.dirs) {
    const id = writeTree(objects, child)
    if (id !== null) rows.push({ mode: treeMode, name, id })
  }
  dir.tree = rows.length === 0 ? null : objects.put('tree', treeBytes(rows))
  return dir.tree
}
