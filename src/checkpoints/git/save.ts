/**
 * Saves the tree: scan, write what is new as one pack, and a commit object that names the tree and holds the
 * notes. A commit and not a bare tree, since its message is where the notes have a place; author and date are
 * the same for all, so that the same state has the same id.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Objects } from '../objects/objects.ts'
import { openCache } from '../scan/cache.ts'
import type { Rules } from '../scan/ignore.ts'
import { smallEnough } from '../scan/ignored.ts'
import { lstatOrNull } from '../scan/listing.ts'
import { outerRules } from '../scan/outer-rules.ts'
import { type Scanned, scan } from '../scan/scan.ts'
import { type Dir, directoriesOf, fileAt, fileOf, type Snapshot, type Usual } from '../scan/snapshot.ts'
import { gitMode } from '../scan/stat.ts'
import { startThread } from '../scan/thread.ts'
import { openWalkers, type Walkers } from '../scan/walkers.ts'
import { openSeed } from '../seed/seed.ts'
import { openTracker, type Tracker } from '../seed/tracked.ts'
import type { Change } from './difference.ts'
import { isPlainFile, type Repository, writeWhenDifferent } from './repository.ts'
import { messageOf, usualOf } from './sidecar.ts'

export type SavedTree = { id: string; snapshot: Snapshot }

type SaveOptions = {
  signal?: AbortSignal | undefined
  hold?: ReadonlySet<string>
  /** A frozen copy of the tree to read instead of it. */
  from?: string
}

export type Saver = {
  /** The tree as it is now. Nothing is on disk before `settle`. Throws what the system says. */
  look(options: SaveOptions): Promise<SavedTree>
  /** Makes durable what was looked at, with all else in the batch. Throws; nothing of it counts then. */
  settle(signal?: AbortSignal): Promise<void>
  /** Writes down what was looked at, for the next process; after a restore `adopt` does, as far as it must. */
  remember(): void
  /** What is in the store is not what it was: everything is asked for again. */
  forget(): void
  /** What a restore did: files that are the target's now, and files that are left alone from here on. */
  adopt(snapshot: Snapshot, changes: Adopted): void
  /** The time of a file that has the bytes of this id, as far as is known without looking; null for any other. */
  timeOf(path: string, id: string): number | null
}

/** `isPrivate`: nobody else can have written there, so that what was written need not be read again. */
type Adopted = { written: readonly Change[]; forgotten: ReadonlySet<string>; isPrivate?: true }

type Parts = { repository: Repository; objects: Objects; ignoredToo: boolean }

const nothing: ReadonlySet<string> = new Set()
/** Some ten thousand files. */
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
      // Its trees may be among what was just thrown away.
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
      // What is held though it is ignored is known nowhere else.
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
  if (!known && tracker.size() > largeIndex) startThread()
  let tracked = known ? undefined : tracker.now()
  const seed = tracked ? openSeed({ tracked, repository, objects, from }) : null
  const holds = (path: string) => {
    if (tracked === undefined) tracked = tracker.now()
    return hold.has(path) || tracked?.has(path) === true
  }
  // Anew for each: what the first has counted the second would count again.
  const includes = () => (eyes.ignoredToo ? smallEnough(from) : null)
  const request = { tree: from, objects, outer, holds, signal }
  await seed?.compare(signal)
  const walk = walkers.walk(from, known ? directoriesOf(known.root) : [])
  const first = { list: walk.list, seed, known: known?.root ?? null }
  const seeded = await scan({ ...request, ...first, includes: includes() }).finally(walk.end)
  const again = await seed?.distrust(seeded.root)
  if (!again) return seeded
  const second = { list: walkers.walk(from, []).list, seed: null, known: seeded.root }
  return scan({ ...request, ...second, includes: includes() })
}

/** The same for all checkpoints of a store, so that their notes can be compared. */
function usualIn(repository: Repository, root: Dir): Usual {
  const path = join(repository.dir, 'usual')
  // Empty after a power cut that came before it was ever used.
  const text = isPlainFile(path) ? readFileSync(path, 'utf8') : ''
  if (text.endsWith('}')) return JSON.parse(text)
  const usual = usualOf(root)
  writeWhenDifferent(repository, 'usual', Buffer.from(JSON.stringify(usual)))
  return usual
}

type Written = { path: string; id: string; isPrivate: boolean }

/** Racy, so that the next look reads it again; where nobody else writes only what is too young is. */
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

/** What was derived from it no longer holds. */
function touch(dir: Dir): Dir {
  delete dir.tree
  delete dir.odd
  delete dir.alike
  return dir
}

function rootTree(objects: Objects, root: Dir): string {
  return writeTree(objects, root) ?? objects.put('tree', Buffer.alloc(0))
}

export function commitText(commit: { tree: string; message: string; parents?: string[] }): Buffer {
  const who = 'loop <loop> 0 +0000'
  const parents = (commit.parents ?? []).map(id => `parent ${id}`)
  const lines = [`tree ${commit.tree}`, ...parents, `author ${who}`, `committer ${who}`, '', commit.message]
  return Buffer.from(lines.join('\n'))
}

type Row = { key: string; mode: string; name: string; id: string }

/** Null where nothing below is saved: git has no empty trees inside of others. */
function writeTree(objects: Objects, dir: Dir): string | null {
  if (dir.tree !== undefined) return dir.tree
  const rows: Row[] = []
  for (const [name, file] of dir.files) rows.push({ key: name, mode: gitMode(file.mode), name, id: file.id })
  for (const [name, child] of dir.dirs) {
    const id = writeTree(objects, child)
    if (id !== null) rows.push({ key: `${name}/`, mode: '40000', name, id })
  }
  dir.tree = rows.length === 0 ? null : objects.put('tree', treeText(rows))
  return dir.tree
}

function treeText(rows: Row[]): Buffer {
  rows.sort((a, b) => (a.key < b.key ? -1 : 1))
  const size = rows.reduce((sum, { mode, name }) => sum + mode.length + name.length + 22, 0)
  const text = Buffer.allocUnsafe(size)
  let at = 0
  for (const { mode, name, id } of rows) {
    at += text.write(`${mode} ${name}\0`, at, 'latin1')
    at += text.write(id, at, 'hex')
  }
  return text
}
