/**
 * Random trees of a plain user, with unreadable files, directories that cannot be listed or written, odd modes, FIFOs
 * and mounts: a rollback and its undo restore the tree, name what they left, or change nothing. The file starts itself
 * again in a mount namespace of its own, so no mount outlives it.
 */

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import {
  array,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  assert as holds,
  nat,
  oneof,
  record,
  tuple,
} from 'fast-check'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { failureWords } from '../../../src/failures/words.ts'
import { without } from '../../rig/needs.ts'
import { loop, never, savedTree, value } from './calls.ts'
import { apply, type Edit, edits } from './edits.ts'
import { mountAt, mountCount, mountKinds, unmountAll } from './mounts.ts'
import { type Box, type Listing, listing, openBox } from './work-tree.ts'

const user = 65534

const path = constantFrom('a', 'b', 'c', 'a/b', 'b/c', 'c/a', 'a/b/c', 'new', 'new/a')
const fileModes = [0o000, 0o200, 0o400, 0o444, 0o600, 0o755, 0o4755, 0o2755]
const dirModes = [0o000, 0o100, 0o333, 0o444, 0o500, 0o555, 0o700, 0o1777]
const oddity = oneof(
  {
    weight: 3,
    arbitrary: record({ do: constant('mode' as const), path, n: constantFrom(0, 1, 2, 3, 4, 5, 6, 7) }),
  },
  { weight: 1, arbitrary: record({ do: constant('pipe' as const), path, n: constant(0) }) },
  { weight: 1, arbitrary: record({ do: constant('mount' as const), path, n: nat(mountKinds - 1) }) },
)
/** The boolean (`kept`): whether the mounts stay for the rollback. */
const change = tuple(edits, array(oddity, { maxLength: 6 }), boolean())

type Oddity = { do: 'mode' | 'pipe' | 'mount'; path: string; n: number }

/** Root makes the oddities and gives the files to the user; the modes come last, deepest first. */
function make({ root, tree }: Box, odd: readonly Oddity[]): void {
  for (const { path: name, n } of odd.filter(one => one.do === 'mount'))
    trying(() => mountAt(root, join(tree, name), n))
  for (const { path: name } of odd.filter(one => one.do === 'pipe')) {
    const at = join(tree, name)
    if (!isThere(at) && isDirectoryAt(dirname(at)))
      trying(() => execFileSync('mkfifo', [at], { stdio: 'pipe' }))
  }
  for (const at of all(tree)) trying(() => lchownSync(at, user, user))
  for (const { path: name, n } of odd.filter(one => one.do === 'mode')) {
    const at = join(tree, name)
    if (!isThere(at) || lstatSync(at).isSymbolicLink()) continue
    trying(() => chmodSync(at, (lstatSync(at).isDirectory() ? dirModes : fileModes)[n] ?? 0o600))
  }
}

/** Ignores an operation that a mount refuses even to root. */
function trying(work: () => void): void {
  try {
    work()
  } catch (error) {
    // The message, because an error of rmSync has neither code.
    if (!/EROFS|EBUSY|Read-only file system|resource busy/.test(String(error))) throw error
  }
}

function isThere(at: string): boolean {
  try {
    return lstatSync(at, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false // a file is in the way of a directory
  }
}

function isDirectoryAt(at: string): boolean {
  return isThere(at) && lstatSync(at).isDirectory()
}

function all(directory: string): string[] {
  const below = readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const at = join(directory, entry.name)
    return entry.isDirectory() ? all(at) : [at]
  })
  return [directory, ...below]
}

async function asUser<T>(work: () => Promise<T>): Promise<T> {
  process.setegid?.(user)
  process.seteuid?.(user)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}

/** Paths that differ, but are not announced, and neither above nor below an announced path. */
function unannounced(was: Listing, is: Listing, left: readonly string[]): string[] {
  const bare = (name: string) => name.replace(/\/$/, '')
  const paths = new Set([...was.keys(), ...is.keys()])
  return [...paths].filter(name => {
    if (was.get(name) === is.get(name)) return false
    const at = bare(name)
    return !left.some(one => one === at || at.startsWith(`${one}/`) || one.startsWith(`${at}/`) || at === '')
  })
}

type Made = [Edit[], Oddity[], boolean]
type Seen = { exact: number; announced: number; refused: number; mounted: number }

async function rollBack([first, odd]: Made, [second, oddToo, kept]: Made, seen: Seen): Promise<void> {
  const at = openBox()
  mkdirSync(at.store, { recursive: true })
  apply(at.tree, first)
  make(at, odd)
  for (const place of [at.root, at.store]) lchownSync(place, user, user)
  const checkpoints = gitCheckpoints(at)
  const before = listing(at.tree)
  const { tree } = value(
    await asUser(() => checkpoints.take({ loop, name: 'initial', since: null, signal: never })),
  )
  if (!kept) unmountAll()
  for (const one of all(at.tree))
    if (!lstatSync(one).isSymbolicLink() && lstatSync(one).isDirectory()) trying(() => chmodSync(one, 0o755))
  for (const one of second) trying(() => apply(at.tree, [one]))
  make(at, oddToo)
  const present = listing(at.tree)
  seen.mounted += mountCount() > 0 ? 1 : 0
  const back = await asUser(() => checkpoints.restore({ loop, tree: tree ?? '', keepAs: 'undo' }))
  const restored = listing(at.tree)
  if (!back.ok) {
    seen.refused += 1
    assert.deepEqual(unannounced(present, restored, []), [], failureWords(back.failure))
    return
  }
  seen[back.value.left.length > 0 ? 'announced' : 'exact'] += 1
  assert.deepEqual(unannounced(before, restored, back.value.left), [], JSON.stringify(back.value))
  const undone = await asUser(() =>
    checkpoints.restore({ loop, tree: savedTree(at, 'undo'), keepAs: 'redo' }),
  )
  const again = listing(at.tree)
  if (!undone.ok) return assert.deepEqual(unannounced(restored, again, []), [], failureWords(undone.failure))
  const left = [...undone.value.left, ...back.value.left]
  assert.deepEqual(unannounced(present, again, left), [], JSON.stringify(undone.value))
}

const skip = without('root')

const inside = process.env['LOOP_MOUNTS'] !== undefined

it('passes in a mount namespace of its own', { skip: skip || inside }, t => {
  const own = ['--mount', '--propagation', 'private', process.execPath, import.meta.filename]
  const env = { ...process.env, LOOP_MOUNTS: '1', NODE_TEST_CONTEXT: undefined }
  const ended = spawnSync('unshare', own, { env, encoding: 'utf8', maxBuffer: 1 << 26 })
  t.diagnostic(/\{"exact".*\}/.exec(ended.stdout)?.[0] ?? 'no counts')
  assert.equal(ended.status, 0, ended.stdout + ended.stderr)
})

it('a rollback of a plain user differs from its checkpoint only where it says so', {
  skip: !inside && (skip || 'runs in a mount namespace of its own'),
  timeout: 3_600_000,
}, async t => {
  const seen = { exact: 0, announced: 0, refused: 0, mounted: 0 }
  await holds(
    asyncProperty(change, change, (before, after) => rollBack(before, after, seen).finally(unmountAll)),
    { numRuns: process.env['LOOP_LONG'] ? 500 : 25, seed: 20_261_117 },
  )
  t.diagnostic(JSON.stringify(seen))
})
