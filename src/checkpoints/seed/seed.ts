/**
 * Makes the first checkpoint cheap: the user's packs are hard-linked (not borrowed: their gc may drop them), and
 * a file whose stat is the one in the user's index has the id that stands there. Believed only if the blob is
 * in a linked pack with the size of the file and no attribute names a conversion; all else is read.
 * Only reads the user's repository, as files.
 */
import type { Repository } from '../git/repository.ts'
import type { Objects } from '../objects/objects.ts'
import { ancestorsOf, joinPath, locate, lstatOrNull } from '../scan/listing.ts'
import type { Given } from '../scan/scan.ts'
import { type Dir, fileAt } from '../scan/snapshot.ts'
import type { Stat } from '../scan/stat.ts'
import { hasConversions, hasReplacements, namesConversion } from './attributes.ts'
import { linkPacks } from './packs.ts'
import { askStored, type Stored, type TreeOf } from './stored.ts'
import type { Tracked } from './tracked.ts'
import type { UserIndex } from './user-index.ts'
import { beginComparing, type Comparing, type WholeDir } from './whole.ts'

type Seed = Given & {
  /** Looks at the tree, before it is scanned. */
  compare(signal: AbortSignal | undefined): Promise<void>
  /** Marks in `root` what must be read after all; where nothing must, tells the trees that are known already. */
  distrust(root: Dir): Promise<boolean>
}

type Source = {
  tracked: Tracked
  repository: Repository
  objects: Objects
  /** The tree, or a copy of it. */
  from: string
}

/** Null where nothing of it can be believed. */
export function openSeed({ tracked, repository, objects, from }: Source): Seed | null {
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
  // A rejection while the tree is still compared and scanned is taken up by `distrust`; a scan that fails never asks.
  asked.catch(() => null)
  return openIds({ index, comparing, from, asked })
}

type Believed = { index: UserIndex; comparing: Comparing; from: string; asked: Promise<Stored> }

function openIds({ index, comparing, from, asked }: Believed): Seed {
  const isGiven = new Uint8Array(index.table.places.length)
  /** By directory: how many of its files have the id that stands in the index. */
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
      // Ignored or not: git reads them all the same.
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
 * Of a .gitattributes that is not as the index says: what it said when the files beside it were written is not
 * known, or git still takes it from the index. Where its directory is left out of the work tree there are none.
 */
function isNeeded(tree: string, path: string): boolean {
  return lstatOrNull(tree, ancestorsOf(path).at(-1) ?? '') !== null
}

function filesWhere(isGiven: Uint8Array, is: (file: number) => boolean): number[] {
  const found: number[] = []
  for (let file = 0; file < isGiven.length; file += 1) if (isGiven[file] === 1 && is(file)) found.push(file)
  return found
}

/** All that are in these directories, at any depth. */
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
 * A directory with all of the files the index has there, and no other, is the tree git wrote for it. Answers how
 * many it has at any depth, NaN where it is not such a tree: that is equal to no count.
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
