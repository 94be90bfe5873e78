/**
 * A box for one case: a work tree, a store beside it, a home, and a file that hooks and filters write to if they run.
 * Trees are compared by listing: type, permissions, bytes or link target of every file and directory.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  type Stats,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

export type Box = { root: string; tree: string; store: string; ran: string }

/** Path (latin1, so that every byte counts) to type, permissions and content. */
export type Listing = Map<string, string>

const boxes: string[] = []

after(() => {
  for (const root of boxes) rmSync(root, { recursive: true, force: true })
})

/** Removed after the tests of the file. `below` and `makeTree`: for a tree at a special place. */
export function openBox(below = tmpdir(), makeTree: (path: string) => void = mkdirSync): Box {
  const root = realpathSync(mkdtempSync(join(below, 'loop-checkpoint-')))
  if (below === tmpdir()) boxes.push(root)
  makeTree(join(root, 'tree'))
  mkdirSync(join(root, 'home'))
  return { root, tree: join(root, 'tree'), store: join(root, 'store'), ran: join(root, 'ran') }
}

/** Runs a script in the work tree, as the user or the agent would, with an ordinary git. */
export function sh(box: Box, script: string): string {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(box.root, 'home'),
    RAN: box.ran,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'user',
    GIT_AUTHOR_EMAIL: 'user@example.org',
    GIT_COMMITTER_NAME: 'user',
    GIT_COMMITTER_EMAIL: 'user@example.org',
  }
  const argv = ['-ec', `commit() { git add -A; git commit -qm "$*"; }\n${script}`]
  return execFileSync('sh', argv, { cwd: box.tree, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Everything below the tree but the content of .git. A directory with a .git survives every restore. */
export function listing(tree: string): Listing {
  const found: Listing = new Map()
  collect(Buffer.from(tree), { skipGit: true, prefix: '', found })
  return found
}

/** Every file of a repository with its bytes. */
export function repositoryListing(path: string): Listing {
  const found: Listing = new Map()
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isDirectory()) collect(Buffer.from(path), { skipGit: false, prefix: '', found })
  else if (stat) found.set('', describe(Buffer.from(path)))
  return found
}

function collect(at: Buffer, options: { skipGit: boolean; prefix: string; found: Listing }): void {
  for (const entry of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) {
    const name = entry.name.toString('latin1')
    if (options.skipGit && name === '.git') continue
    const path = Buffer.concat([at, Buffer.from('/'), entry.name])
    if (!entry.isDirectory()) options.found.set(options.prefix + name, describe(path))
    else {
      const prefix = `${options.prefix}${name}/`
      const isRepository = existsSync(Buffer.concat([path, Buffer.from('/.git')]))
      if (!isRepository) options.found.set(prefix, `dir ${permissions(lstatSync(path))}`)
      collect(path, { ...options, prefix })
    }
  }
}

function describe(path: Buffer): string {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path, { encoding: 'buffer' }).toString('latin1')}`
  if (!stat.isFile()) return 'special'
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
  return `file ${permissions(stat)} ${hash}`
}

function permissions(stat: Stats): string {
  return (stat.mode & 0o7777).toString(8)
}

/**
 * The tree to expect after a restore: the saved tree, but below `kept` the files from before the restore. A FIFO or
 * socket cannot be saved, so it does not come back.
 */
export function expected(trees: { saved: Listing; present: Listing; kept: readonly string[] }): Listing {
  const isKept = (path: string) => trees.kept.some(kept => path === kept || path.startsWith(`${kept}/`))
  const saved = [...trees.saved].filter(([path, what]) => !isKept(path) && what !== 'special')
  return new Map([...saved, ...[...trees.present].filter(([path]) => isKept(path))])
}

export function withoutSpecial(found: Listing): Listing {
  return new Map([...found].filter(([, what]) => what !== 'special'))
}

export function sorted(found: Listing): [string, string][] {
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
