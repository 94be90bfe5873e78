/**
 * Makes the first checkpoint cheap: the user's packs are hard-linked (not borrowed: their gc may drop them), and
 * a file whose stat is the one in the user's index has the id that stands there. Believed only if the blob is
 * in a linked pack with the size of the file and no attribute names a conversion; all else is read.
 * Only reads the user's repository, as files.
 */
import { linkSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Objects } from '../objects/objects.ts'
import { locate } from '../scan/listing.ts'
import { type UserRepository, userRepository } from '../scan/outer-rules.ts'
import { type Dir, fileAt, type Stat } from '../scan/snapshot.ts'
import type { Repository } from './repository.ts'
import { codeOf, isMissing } from './trouble.ts'
import { type IndexEntry, parseIndex } from './user-index.ts'

export type Seed = {
  /** Whether the user's repository tracks it, ignored or not; directories end with a slash. */
  tracks(path: string): boolean
  /** Those that have tracked files. */
  directories(): string[]
  id(path: string, stat: Stat): string | null
  /** Marks in `root` what must be read after all; false where nothing must. */
  distrust(root: Dir): Promise<boolean>
}

export function openSeed(repository: Repository, objects: Objects): Seed | null {
  const user = userRepository(repository.tree)
  const index = user && readIndex(user)
  if (!user || !index) return null
  const linked = linkPacks(user, repository)
  if (linked) objects.reload()
  const usable = linked && !hasConversions(user)
  const sizes = usable ? sizesOf(repository, index.entries) : null
  const given: { path: string; entry: IndexEntry }[] = []
  const directories = directoriesOf(index.entries.keys())
  return {
    tracks: path => directories.has(path) || index.entries.has(path),
    directories: () => ['', ...[...directories].map(path => path.slice(0, -1))],
    id(path, stat) {
      const entry = usable ? index.entries.get(path) : null
      if (!entry || !isSame(entry, stat) || entry.ctimeMs >= index.writtenMs) return null
      given.push({ path, entry })
      return entry.id
    },
    async distrust(root) {
      const known = await sizes
      const all = given.length > 0 && namesConversions(repository.tree, root)
      const wrong = given.filter(({ entry }) => all || known?.get(entry.id) !== entry.size)
      for (const { path } of wrong) {
        const file = fileAt(root, path)
        if (file) file.racy = true
      }
      return wrong.length > 0
    },
  }
}

/** With a slash at the end. */
function directoriesOf(paths: Iterable<string>): Set<string> {
  const found = new Set<string>()
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const directory = path.slice(0, at + 1)
      if (found.has(directory)) break
      found.add(directory)
    }
  }
  return found
}

function readIndex(
  user: UserRepository,
): { entries: Map<string, IndexEntry | null>; writtenMs: number } | null {
  const path = join(user.ownDirectory, 'index')
  try {
    const writtenMs = statSync(path).mtimeMs
    if (/objectformat\s*=\s*sha256/i.test(read(join(user.gitDirectory, 'config')))) return null
    const all = parseIndex(readFileSync(path))
    if (!all || user.prefix === '') return all && { entries: all, writtenMs }
    const inside = [...all].filter(([at]) => at.startsWith(user.prefix))
    return { entries: new Map(inside.map(([at, entry]) => [at.slice(user.prefix.length), entry])), writtenMs }
  } catch (error) {
    if (isMissing(error) || error instanceof RangeError) return null
    throw error
  }
}

/** To the nanosecond as far as the index has it; what it has no room for is cut off as git does. */
function isSame(entry: IndexEntry, stat: Stat): boolean {
  return (
    entry.mtimeMs === stat.mtimeMs &&
    entry.ctimeMs === stat.ctimeMs &&
    entry.size === stat.size &&
    entry.ino === stat.ino >>> 0
  )
}

/** False where they can not be linked: another filesystem, another owner. */
function linkPacks(user: UserRepository, repository: Repository): boolean {
  const from = join(user.gitDirectory, 'objects/pack')
  const to = join(repository.dir, 'objects/pack')
  try {
    const names = readdirSync(from)
    const bases = names.filter(name => /^pack-[0-9a-f]{40}\.idx$/.test(name)).map(name => name.slice(0, -4))
    for (const base of bases.filter(one => names.includes(`${one}.pack`))) {
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

/** Of the blobs that are there; one that is not has no size. */
async function sizesOf(
  repository: Repository,
  entries: Map<string, IndexEntry | null>,
): Promise<Map<string, number>> {
  const ids = [...entries.values()].flatMap(entry => entry?.id ?? [])
  const input = Buffer.from(`${ids.join('\n')}\n`)
  const answer = await repository.git({
    args: ['cat-file', '--batch-check=%(objectsize)', '--buffer'],
    input,
  })
  if (!answer.ok) return new Map()
  const lines = answer.value.stdout.toString().split('\n')
  return new Map(ids.map((id, n) => [id, Number(lines[n])]))
}

const conversions = /filter|ident|working-tree-encoding|\[attr\]/

/** Outside the tree: as the user's git would find them. */
function hasConversions({ gitDirectory }: UserRepository): boolean {
  const home = homedir()
  const attributes = [
    join(gitDirectory, 'info/attributes'),
    join(home, '.config/git/attributes'),
    '/etc/gitattributes',
  ]
  const configs = [join(gitDirectory, 'config'), join(home, '.config/git/config'), join(home, '.gitconfig')]
  return (
    attributes.some(path => conversions.test(read(path))) ||
    configs.some(path => /attributesfile/i.test(read(path)))
  )
}

function namesConversions(tree: string, dir: Dir, path = ''): boolean {
  if (dir.files.has('.gitattributes') && conversions.test(read(locate(tree, `${path}.gitattributes`))))
    return true
  return [...dir.dirs].some(([name, child]) => namesConversions(tree, child, `${path}${name}/`))
}

function read(path: string | Buffer): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // Not there, or not to be read: git would not read it either.
    return ''
  }
}
