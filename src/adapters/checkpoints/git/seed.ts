/**
 * Makes the first checkpoint cheap: the user's packs are hard-linked (not borrowed: their gc may drop them), and
 * a file whose stat is the one in the user's index has the id that stands there. Believed only if the blob is
 * in a linked pack with the size of the file and no attribute names a conversion; all else is read.
 * Only reads the user's repository, as files.
 */
import { existsSync, linkSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Objects } from '../objects/objects.ts'
import { isWholePack } from '../objects/stored.ts'
import { joinPath, locate } from '../scan/listing.ts'
import { type UserRepository, userRepository } from '../scan/outer-rules.ts'
import { type Dir, dirAt, type Stat } from '../scan/snapshot.ts'
import { hasConversions, namesConversion, read } from './attributes.ts'
import type { Repository } from './repository.ts'
import { codeOf, isMissing } from './trouble.ts'
import { parseIndex, type UserIndex } from './user-index.ts'

export type Seed = {
  /** Whether the user's repository tracks it, ignored or not; directories end with a slash. */
  tracks(path: string): boolean
  /** Those that have tracked files. */
  directories(): string[]
  /** The ids of files in a directory, by name and stat. */
  idsIn(directory: string): (name: string, stat: Stat) => string | null
  /** Marks in `root` what must be read after all; where nothing must, tells the trees that are known already. */
  distrust(root: Dir): Promise<boolean>
}

export function openSeed(repository: Repository, objects: Objects): Seed | null {
  const user = userRepository(repository.tree)
  const found = user && readIndexes(user)
  if (!user || !found) return null
  const { index, all } = found
  const linked = index !== null && linkPacks(user, repository)
  if (linked) objects.reload()
  const isUsable = linked && !hasConversions(user) && !hasReplacements(user)
  return {
    tracks: path => all.some(one => tracks(one, path)),
    directories: () => all.flatMap(one => one.directories()),
    ...(isUsable ? openIds(repository, index) : noIds),
  }
}

type KnownIds = Pick<Seed, 'idsIn' | 'distrust'>

const noIds: KnownIds = { idsIn: () => () => null, distrust: async () => false }

function openIds(repository: Repository, index: Index): KnownIds {
  const stored = storedOf(repository, index)
  const isGiven = new Uint8Array(index.count)
  const given = new Map<string, Given>()
  const attributes: string[] = []

  function giveIn(directory: string): (name: string, stat: Stat) => string | null {
    const files = index.filesIn(directory)
    if (!files) return () => null
    const inThis = { count: 0 }
    given.set(directory, inThis)
    return (name, stat) => {
      // Ignored or not: git reads them all the same.
      if (name === '.gitattributes') attributes.push(joinPath(directory, name))
      const file = files.get(name)
      if (file === undefined || !index.isSame(file, stat) || !isSettled(index, file)) return null
      isGiven[file] = 1
      inThis.count += 1
      return index.idOf(file)
    }
  }

  async function distrust(root: Dir): Promise<boolean> {
    const { sizes, trees } = await stored
    if (!isGiven.includes(1)) return false
    const isConverted = attributes.some(path => namesConversion(locate(repository.tree, path)))
    const isWrong = (file: number) =>
      isGiven[file] === 1 && (isConverted || Number(sizes[file]) !== index.sizeOf(file))
    if (!isGiven.some((_, file) => isWrong(file))) {
      tellTrees({ given, trees }, root, '')
      return false
    }
    for (const directory of index.directories()) {
      const found = dirAt(root, directory === '' ? [] : directory.split('/'))
      for (const [name, file] of index.filesIn(directory) ?? []) {
        const entry = isWrong(file) && found?.files.get(name)
        if (entry) entry.racy = true
      }
    }
    return true
  }

  return { idsIn: giveIn, distrust }
}

type Index = UserIndex & { writtenMs: number }

/** `index` has what is to be believed of files; null where it is only known which paths are tracked. */
type Indexes = { index: Index | null; all: UserIndex[] }

/** Changed so shortly before the index was written that a later change could have left the same stat. */
function isSettled(index: Index, file: number): boolean {
  return index.isPlain(file) && index.ctimeMsOf(file) < index.writtenMs
}

function tracks(index: UserIndex, path: string): boolean {
  if (path.endsWith('/')) return index.filesIn(path.slice(0, -1)) !== null
  const slash = path.lastIndexOf('/')
  return index.filesIn(path.slice(0, Math.max(0, slash)))?.has(path.slice(slash + 1)) === true
}

/** How many files of a directory have the id that stands in the index. */
type Given = { count: number }

type Known = { given: Map<string, Given>; trees: UserIndex['trees'] }

/**
 * A directory with all of the files the index has there, and no other, is the tree git wrote for it. Answers how
 * many it has at any depth, NaN where it is not such a tree, or one that is not there: that is equal to no count.
 */
function tellTrees(known: Known, dir: Dir, path: string): number {
  let count = (known.given.get(path)?.count ?? 0) === dir.files.size ? dir.files.size : Number.NaN
  for (const [name, child] of dir.dirs) count += tellTrees(known, child, joinPath(path, name))
  const tree = known.trees.get(path)
  const isWhole = tree !== undefined && tree.count === count
  if (isWhole) dir.tree = tree.id
  return isWhole || count === 0 ? count : Number.NaN
}

/** Roughly how much is tracked, before anything of it is read. */
export function sizeOfIndex(repository: Repository): number {
  const user = userRepository(repository.tree)
  return (user && statSync(join(user.ownDirectory, 'index'), { throwIfNoEntry: false })?.size) ?? 0
}

function readIndexes(user: UserRepository): Indexes | null {
  const path = join(user.ownDirectory, 'index')
  try {
    const stat = statSync(path)
    // A pipe would be waited for for ever.
    if (!stat.isFile()) return null
    const isLong = /objectformat\s*=\s*sha256/i.test(read(join(user.gitDirectory, 'config')))
    const parse = (file: string) => parseIndex(readFileSync(file), isLong ? 'sha256' : 'sha1')
    const found = parse(path)
    if (!found) return null
    const index = below(found, user.prefix)
    const isSplit = found.rest !== null
    const rest = isSplit ? parse(join(user.ownDirectory, `sharedindex.${found.rest}`)) : null
    const all = rest ? [index, below(rest, user.prefix)] : [index]
    return { index: isLong || isSplit ? null : { ...index, writtenMs: stat.mtimeMs }, all }
  } catch (error) {
    if (isMissing(error) || error instanceof RangeError) return null
    throw error
  }
}

/** Whether git may have written to the tree what is not of the id in the index: `git replace`. */
function hasReplacements({ gitDirectory }: UserRepository): boolean {
  return (
    existsSync(join(gitDirectory, 'refs/replace')) ||
    read(join(gitDirectory, 'packed-refs')).includes(' refs/replace/')
  )
}

/** What is in a directory of the repository, by path from there. */
function below(index: UserIndex, prefix: string): UserIndex {
  if (prefix === '') return index
  const isInside = (path: string) => `${path}/`.startsWith(prefix)
  const trees = [...index.trees].filter(([path]) => isInside(path))
  return {
    ...index,
    directories: () =>
      index
        .directories()
        .filter(isInside)
        .map(path => path.slice(prefix.length)),
    filesIn: directory => index.filesIn(`${prefix}${directory}`.replace(/\/$/, '')),
    trees: new Map(trees.map(([path, tree]) => [path.slice(prefix.length), tree])),
  }
}

/** False where they can not be linked: another filesystem, another owner, none that is whole. */
function linkPacks(user: UserRepository, repository: Repository): boolean {
  const from = join(user.gitDirectory, 'objects/pack')
  const to = join(repository.dir, 'objects/pack')
  try {
    const names = readdirSync(from)
    const bases = names
      .filter(name => /^pack-[0-9a-f]{40}\.idx$/.test(name))
      .map(name => name.slice(0, -4))
      .filter(base => names.includes(`${base}.pack`))
      // What a damaged one has would count as saved.
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

/** The sizes of the blobs by number of the file, no number for one that is not there; the trees that are there. */
type Stored = { sizes: string[]; trees: UserIndex['trees'] }

async function storedOf(repository: Repository, index: UserIndex): Promise<Stored> {
  const ids = [index.idLines, ...Array.from(index.trees.values(), ({ id }) => id)]
  const args = ['cat-file', '--batch-check=%(objectsize)', '--buffer']
  const answer = await repository.git({ args, input: Buffer.from(ids.join('\n'), 'latin1') })
  const lines = answer.ok ? answer.value.stdout.toString('latin1').split('\n') : []
  const isThere = (_: unknown, n: number) => isNumber(lines[index.count + n])
  return { sizes: lines, trees: new Map([...index.trees].filter(isThere)) }
}

function isNumber(line: string | undefined): boolean {
  return line !== undefined && /^\d+$/.test(line)
}
