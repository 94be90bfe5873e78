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
import { codeOf, isMissing } from '../errors.ts'
import { ancestorsOf, joinPath, locate } from '../format/path.ts'
import type { Stat } from '../format/stat.ts'
import type { UserIndex } from '../format/user-index/index-file.ts'
import { isWholePack } from '../objects/lookup.ts'
import type { Objects } from '../objects/objects.ts'
import type { Repository } from '../objects/repository.ts'
import { lstatOrNull } from '../scan/listing.ts'
import type { UserRepository } from '../scan/outer-rules.ts'
import type { Given, Scanned } from '../scan/scan.ts'
import { type Dir, fileAt } from '../scan/snapshot.ts'
import type { Tracked } from '../scan/tracked.ts'
import { mayConfigure, readSetting, userDirectories } from '../scan/user-config.ts'
import { askStored, type Stored, type TreeOf } from './blob-sizes.ts'
import { beginComparing, type Comparing, type WholeDir } from './unchanged.ts'

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

type Told = { given: Map<string, number>; treeOf: TreeOf }

/**
 * Gives a directory the tree object that git has written for it, if it has exactly the files of the index. Returns
 * the number of files below it; NaN, which equals no count, where a file has another id or is not in the index.
 */
function tellTrees(known: Told, dir: Dir, path: string): number {
  const count = dir.alike?.count ?? countGiven(known, dir, path)
  const id = known.treeOf(path, count)
  if (id !== null) dir.tree = id
  return count
}

function countGiven(known: Told, { files, dirs }: Dir, path: string): number {
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
