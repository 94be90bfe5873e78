/**
 * Makes the first scan of a tree cheap: packs of the user's repository are hard-linked into the store (not borrowed
 * through alternates: the user's gc may drop them), and a file with the stat that is in the user's index gets its id
 * from there, unread. An id counts only if its blob is in a linked pack, has the size of the file, and no
 * attribute names a conversion; every other file is read. The user's repository is only read, as files.
 *
 * `scanSeeded` is the only way in: (tree, index) → the same snapshot that a plain scan gives. It can be switched off
 * (`seed: false` in git/backend, LOOP_SEED=off), and test/conformance/checkpoint/seeded.test.ts compares both.
 */
import { existsSync, linkSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, isMissing } from './errors.ts'
import { ancestorsOf, isLink, joinPath, linkMode, locate, type Stat } from './format/file.ts'
import type { UserIndex } from './format/user-index.ts'
import { isWholePack } from './objects/lookup.ts'
import type { Objects } from './objects/objects.ts'
import type { Repository } from './objects/repository.ts'
import { beginComparison, type Comparison, openComparison, row, rowLength } from './scan/comparison.ts'
import { lstatOrNull } from './scan/listing.ts'
import type { UserRepository } from './scan/outer-rules.ts'
import type { Given, Scanned } from './scan/scan.ts'
import { type Alike, type Dir, type File, fileAt, fileOf, lazyDir } from './scan/snapshot.ts'
import type { Tracked } from './scan/tracked.ts'
import { mayConfigure, readSetting, userDirectories } from './scan/user-config.ts'
import { askThread, worthAsking } from './scan/walkers.ts'

const conversions = /filter|ident|working-tree-encoding|\[attr\]/

/**
 * Can a file of the work tree differ from its blob though both have the same size? That takes a conversion by an
 * attribute (filter, ident, working-tree-encoding) or a replaced object. Attribute files are only searched for these
 * words: a wrong yes means that files are read, and costs no more than time.
 */
function namesConversion(path: string | Buffer): boolean {
  return conversions.test(readSetting(path))
}

/** Do attribute files outside the tree, which the user's git would read, name a conversion? */
function hasConversions(user: UserRepository): boolean {
  const attributes = [
    join(user.gitDirectory, 'info/attributes'),
    '/etc/gitattributes',
    ...userDirectories().map(path => join(path, 'attributes')),
    ...attributesAbove(user),
  ]
  return attributes.some(namesConversion) || mayConfigure(user, /attributesfile/i)
}

/** The attribute files above the tree, where the tree is a directory inside the repository. */
function attributesAbove({ root, prefix }: UserRepository): string[] {
  const names = Buffer.from(prefix, 'latin1').toString().split('/').slice(0, -1)
  return names.map((_, depth) => join(root, ...names.slice(0, depth), '.gitattributes'))
}

/** Does the repository use `git replace`? Then git may have checked out other content than the index names. */
function hasReplacements({ gitDirectory }: UserRepository): boolean {
  return (
    // Refs in another format than files: assume that some replace objects.
    existsSync(join(gitDirectory, 'reftable')) ||
    existsSync(join(gitDirectory, 'refs/replace')) ||
    readSetting(join(gitDirectory, 'packed-refs')).includes(' refs/replace/')
  )
}

type Seed = Given & {
  /** Compares the tree with the user's index, before the scan. */
  compare(signal: AbortSignal | undefined): Promise<void>
  /**
   * After the scan, when git has said which blobs are there: marks as racy the files whose id is not proven, and says
   * whether there are any. If there are none, directories get the ids of tree objects that exist already.
   */
  distrust(root: Dir): Promise<boolean>
}

type Source = {
  tracked: Tracked
  repository: Repository
  objects: Objects
  /** The tree, or a frozen copy of it. */
  from: string
  signal: AbortSignal | undefined
}

/** Scans with what is known of files beforehand: a snapshot of the tree, or ids from elsewhere. */
type ScanWith = (known: Dir | null, given: Given | null) => Promise<Scanned>

/** Answers what `scanWith(null, null)` would answer. */
export async function scanSeeded(source: Source, scanWith: ScanWith): Promise<Scanned> {
  const seed = openSeed(source)
  if (!seed) return scanWith(null, null)
  await seed.compare(source.signal)
  const scanned = await scanWith(null, seed)
  const mustReadMore = await seed.distrust(scanned.root)
  return mustReadMore ? scanWith(scanned.root, null) : scanned
}

/** Null where nothing of the user's index can be believed. */
function openSeed({ tracked, repository, objects, from }: Source): Seed | null {
  const { user, index } = tracked
  if (!index) return null
  const comparing = beginComparing(index, from)
  let isUsable = false
  try {
    const linked = linkPacks(user, repository)
    if (linked) objects.reload()
    isUsable = linked && !hasConversions(user) && !hasReplacements(user)
  } finally {
    if (!isUsable) comparing.stop()
  }
  if (!isUsable) return null
  const asked = askStored(repository, index)
  // `distrust` awaits it and sees a rejection. Caught here too, for a scan that fails before.
  asked.catch(() => null)
  return openIds({ index, comparing, from, asked })
}

type Believed = { index: UserIndex; comparing: Comparing; from: string; asked: Promise<Stored> }

function openIds({ index, comparing, from, asked }: Believed): Seed {
  const isGiven = new Uint8Array(index.table.places.length)
  /** For each directory: how many of its files got their id from the index. */
  const given = new Map<string, number>()
  const wholes = new Set<number>()
  const attributes = new Set(index.attributes.map(index.pathOf))
  let treeOf: TreeOf = () => null
  let wholeDir: WholeDir = () => null

  function idsIn(directory: string): (name: string, stat: Stat) => string | null {
    const files = index.filesIn(directory)
    if (!files) return () => null
    given.set(directory, 0)
    return (name, stat) => {
      // Also an untracked or ignored one: git applies it all the same.
      if (name === '.gitattributes') attributes.add(joinPath(directory, name))
      const file = files.get(name)
      if (file === undefined || !index.isSame(file, stat)) return null
      isGiven[file] = 1
      given.set(directory, (given.get(directory) ?? 0) + 1)
      return index.idOf(file)
    }
  }

  async function distrust(root: Dir): Promise<boolean> {
    const stored = await asked
    markFiles(index, wholes, isGiven)
    if (!isGiven.includes(1)) return false
    const isConverted =
      index.attributes.some(file => isGiven[file] !== 1 && isNeeded(from, index.pathOf(file))) ||
      [...attributes].some(path => namesConversion(locate(from, path)))
    const wrong = filesWhere(isGiven, file => isConverted || stored.sizes[file] !== index.sizeOf(file))
    for (const file of wrong) {
      const found = fileAt(root, index.pathOf(file))
      if (found) found.racy = true
    }
    if (wrong.length > 0) return true
    treeOf = stored.treeOf
    tellTrees({ given, treeOf }, root, '')
    return false
  }

  return {
    async compare(signal) {
      wholeDir = await comparing.finish((path, count) => treeOf(path, count), signal)
    },
    wholeAt(directory) {
      const number = index.directoryAt(directory)
      const found = number === undefined ? null : wholeDir(number)
      if (number !== undefined && found) wholes.add(number)
      return found
    },
    idsIn,
    distrust,
  }
}

/**
 * For a tracked .gitattributes that is missing or changed: can it have converted files that are in the tree? What it
 * said when they were checked out is unknown. Only if its directory is not there (sparse checkout), it cannot.
 */
function isNeeded(tree: string, path: string): boolean {
  return lstatOrNull(tree, ancestorsOf(path).at(-1) ?? '') !== null
}

function filesWhere(isGiven: Uint8Array, is: (file: number) => boolean): number[] {
  const found: number[] = []
  for (let file = 0; file < isGiven.length; file += 1) if (isGiven[file] === 1 && is(file)) found.push(file)
  return found
}

/** Marks all files below these directories, at any depth. */
function markFiles({ table }: UserIndex, directories: ReadonlySet<number>, marks: Uint8Array): void {
  const { above, firstRuns, nextRuns, runs } = table
  const isIn = new Uint8Array(above.length)
  for (let directory = 0; directory < above.length; directory += 1) {
    if (!directories.has(directory) && isIn[above[directory] as number] !== 1) continue
    isIn[directory] = 1
    for (let run = firstRuns[directory] as number; run >= 0; run = nextRuns[run] as number)
      marks.fill(1, runs[run], runs[run + 1])
  }
}

type StoredIds = { given: Map<string, number>; treeOf: TreeOf }

/**
 * Gives a directory the tree object that git has written for it, if it has exactly the files of the index. Returns
 * the number of files below it; NaN, which equals no count, where a file has another id or is not in the index.
 */
function tellTrees(known: StoredIds, dir: Dir, path: string): number {
  const count = dir.alike?.count ?? countGiven(known, dir, path)
  const id = known.treeOf(path, count)
  if (id !== null) dir.tree = id
  return count
}

function countGiven(known: StoredIds, { files, dirs }: Dir, path: string): number {
  let count = (known.given.get(path) ?? 0) === files.size ? files.size : Number.NaN
  for (const [name, child] of dirs) count += tellTrees(known, child, joinPath(path, name))
  return count
}

/** False where no pack can be linked: another file system, another owner, no pack that is whole. */
function linkPacks(user: UserRepository, repository: Repository): boolean {
  const from = join(user.gitDirectory, 'objects/pack')
  const to = join(repository.dir, 'objects/pack')
  try {
    const names = readdirSync(from)
    const bases = names
      .filter(name => /^pack-[0-9a-f]{40}\.idx$/.test(name))
      .map(name => name.slice(0, -4))
      .filter(base => names.includes(`${base}.pack`))
      // The objects of a damaged pack would count as saved.
      .filter(base => isWholePack(join(from, `${base}.pack`), join(from, `${base}.idx`)))
    for (const base of bases) {
      for (const end of ['.pack', '.idx']) {
        link(join(from, base + end), join(to, base + end))
        repository.batch.sync(join(to, base + end))
      }
    }
    return bases.length > 0
  } catch (error) {
    if (isMissing(error) || ['EXDEV', 'EPERM', 'EACCES', 'EMLINK'].includes(codeOf(error) ?? '')) return false
    throw error
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/**
 * Finds whole subtrees that are exactly as the user's index says, and gives them to the scan as lazy directories. The
 * main thread compares directories from the front; in a large tree the second thread does from the rear.
 */
const directoriesPerBreath = 100

/** The directory of this number, if everything below it is as the index says; else null. */
export type WholeDir = (directory: number) => Dir | null

type Comparing = {
  /** To be called once. `treeOf` is called for each directory that the scan takes. */
  finish(treeOf: TreeOf, signal: AbortSignal | undefined): Promise<WholeDir>
  stop(): void
}

/** Starts the second thread on it at once, if there is one; the main thread begins in `finish`. */
export function beginComparing(index: UserIndex, tree: string): Comparing {
  const lookedMs = Date.now()
  const comparison = beginComparison(tree, index.table)
  const { promise: isAnswered, resolve } = Promise.withResolvers<void>()
  const isMany = comparison.taken.length >= worthAsking
  const asked = isMany ? askThread({ compare: comparison }, () => resolve()) : null
  const stop = () => {
    comparison.taken.fill(1)
    asked?.end()
  }
  return {
    stop,
    async finish(treeOf, signal) {
      try {
        const isAlone = await compareFromFront(index, comparison, signal)
        // The second thread may still be at its last directory. If it died, the rows it had not finished stay zero.
        if (!isAlone) await asked?.waitFor(isAnswered)
      } finally {
        stop()
      }
      addUp(comparison)
      return openWhole({ index, comparison, lookedMs, treeOf })
    },
  }
}

/** True if this thread did all of them, false where it met the other one. */
async function compareFromFront(
  index: UserIndex,
  comparison: Comparison,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { count, compare } = openComparison(comparison, index)
  for (let directory = 0; directory < count; directory += 1) {
    if (!compare(directory)) return false
    if (directory % directoriesPerBreath !== 0) continue
    signal?.throwIfAborted()
    await new Promise(resolve => setImmediate(resolve))
  }
  return true
}

type ComparedIndex = { index: UserIndex; comparison: Comparison; lookedMs: number; treeOf: TreeOf }

function openWhole({ index, comparison, lookedMs, treeOf }: ComparedIndex): WholeDir {
  function dirOf(directory: number): Dir | null {
    const alike = alikeIn(comparison, directory)
    // A thread that died in a directory leaves a count, but not yet the directory itself.
    if (alike.count === 0 || alike.dirs === 0) return null
    const path = index.directoryOf(directory)
    const dir = lazyDir(alike, {
      files: () => filesOf(index, path, { alike, lookedMs }),
      dirs: () => new Map(index.directoriesIn(directory).flatMap(named)),
    })
    const id = treeOf(path, alike.count)
    if (id !== null) dir.tree = id
    return dir
  }

  function named(directory: number): [name: string, dir: Dir][] {
    const dir = dirOf(directory)
    return dir ? [[index.nameOf(directory), dir]] : []
  }

  return dirOf
}

/** Adds the row of each directory to that of its parent: then a row is about a whole subtree. */
function addUp({ table: { above }, rows }: Comparison): void {
  // Children have higher numbers than their parents.
  for (let directory = above.length - 1; directory > 0; directory -= 1)
    add(rows, (above[directory] as number) * rowLength, directory * rowLength)
}

function add(rows: Int32Array, outer: number, inner: number): void {
  if (rows[outer + row.dirs] === 0) return
  const isAlike =
    rows[inner + row.dirs] !== 0 &&
    addModes(rows, outer + row.file, inner + row.file) &&
    addModes(rows, outer + row.exec, inner + row.exec) &&
    addModes(rows, outer + row.dir, inner + row.dir)
  if (isAlike)
    rows[outer + row.count] = (rows[outer + row.count] as number) + (rows[inner + row.count] as number)
  else rows.fill(0, outer, outer + rowLength)
}

/** Adds one mode and its count. False where the modes differ: then the subtree is not alike. */
function addModes(rows: Int32Array, outer: number, inner: number): boolean {
  const times = rows[inner + 1] as number
  if (times === 0) return true
  if (rows[outer + 1] === 0) rows[outer] = rows[inner] as number
  rows[outer + 1] = (rows[outer + 1] as number) + times
  return rows[outer] === rows[inner]
}

function alikeIn({ rows }: Comparison, directory: number): Alike {
  const at = directory * rowLength
  const [count = 0, file = 0, files = 0, exec = 0, execs = 0, dir = 0, dirs = 0] = rows.subarray(
    at,
    at + rowLength,
  )
  return { count, file, files, exec, execs, dir, dirs }
}

function filesOf(
  index: UserIndex,
  directory: string,
  seen: { alike: Alike; lookedMs: number },
): Dir['files'] {
  const files = new Map<string, File>()
  for (const [name, file] of index.filesIn(directory) ?? []) {
    const stat = {
      mode: modeOf(index.modeOf(file), seen.alike),
      size: index.sizeOf(file),
      mtimeMs: index.mtimeMsOf(file),
      ctimeMs: index.ctimeMsOf(file),
      ino: index.inoOf(file),
    }
    files.set(name, fileOf(stat, index.idOf(file), seen.lookedMs))
  }
  return files
}

function modeOf(gitMode: number, { file, exec }: Alike): number {
  if (isLink(gitMode)) return linkMode
  return gitMode & 0o100 ? exec : file
}

/**
 * Which of the blobs and trees that the user's index names are in the linked packs, and how large the blobs are. Git
 * is asked once for all of them, while the tree is being compared.
 */

type Stored = {
  /** For each file of the index the size of its blob, NaN where the blob is missing. */
  sizes: Float64Array
  treeOf: TreeOf
}

/** The tree object of a directory with so many files, if it is in the packs with all trees below it; else null. */
type TreeOf = (directory: string, count: number) => string | null

const newline = 10
const zero = 48

async function askStored(repository: Repository, index: UserIndex): Promise<Stored> {
  const trees = index.trees()
  const input = Buffer.concat([index.idLines(), trees.idLines()])
  // %(rest) makes git end its answer for a missing object after the first word, which is no number.
  const args = ['cat-file', '--batch-check=%(objectsize)%(rest)', '--buffer']
  const answer = await repository.git({ args, input })
  const files = index.table.places.length
  const numbers = numbersIn(answer.ok ? answer.value.stdout : Buffer.alloc(0), files + trees.count)
  // Other programs write tree objects for empty directories. Git does not, and neither does loop.
  const isUnusable = (tree: number) => trees.countOf(tree) === 0 || Number.isNaN(numbers[files + tree])
  const unusable = countBefore(trees.count, isUnusable)
  return {
    sizes: numbers.subarray(0, files),
    treeOf(directory, count) {
      const tree = trees.at(directory)
      if (tree === null || trees.countOf(tree) !== count) return null
      return unusable[tree] === unusable[trees.after(tree)] ? trees.idOf(tree) : null
    },
  }
}

/** A number for each line; NaN for a line that is none. */
function numbersIn(lines: Buffer, count: number): Float64Array {
  const numbers = new Float64Array(count).fill(Number.NaN)
  let at = 0
  for (let n = 0; n < count && at < lines.length; n += 1) {
    let number = 0
    for (; at < lines.length && lines[at] !== newline; at += 1) {
      const digit = (lines[at] as number) - zero
      number = digit >= 0 && digit <= 9 ? number * 10 + digit : Number.NaN
    }
    numbers[n] = number
    at += 1
  }
  return numbers
}

/** For each n how many before it fulfil `is`; the last is the total. */
function countBefore(count: number, is: (n: number) => boolean): Int32Array {
  const before = new Int32Array(count + 1)
  for (let n = 0; n < count; n += 1) before[n + 1] = (before[n] as number) + (is(n) ? 1 : 0)
  return before
}
