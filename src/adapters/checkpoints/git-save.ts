/**
 * Brings the private index up to the work tree and writes it as a tree object: `git add`, `git write-tree`.
 * The index is a cache: where git can not work with it, it is made anew. A nested repository is made
 * ordinary by an index entry inside it, of a file that is not there: git then descends, and drops the entry.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { ExecResult } from '../process/exec.ts'
import { clearStaleLock } from './git-lock.ts'
import { type GitStore, lastLines } from './git-store.ts'
import { absolute, fromList, readable, type Survey, surveyor, toList } from './git-survey.ts'

/** `skipped` in bytes as latin1, as everywhere inside this backend. */
export type Saved = { tree: string; skipped: string[] }

/** `complaint`: what git said when it could not add everything. */
type Added = Survey & { complaint: string | null }

export type Save = (signal?: AbortSignal) => Promise<Result<Saved>>

const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
const decoy = '.loop-look-inside'

export function saver(store: GitStore): Save {
  const survey = surveyor(store)
  let nested: string[] = []
  let last: { index: string; tree: string } | null = null

  async function add(signal: AbortSignal | undefined): Promise<Result<Added>> {
    const primed = await prime(store, nested, signal)
    if (!primed.ok) return primed
    const [added, seen] = await Promise.all([addAll(store, signal), survey(signal)])
    if (!added.ok) return added
    if (!seen.ok) return seen
    const more = seen.value.nested.some(path => !nested.includes(path))
    nested = seen.value.nested
    if (more) return add(signal)
    const complaint = added.value.code === 0 ? null : added.value.stderr.toString().trim()
    return ok({ ...seen.value, complaint })
  }

  async function writeTree(signal: AbortSignal | undefined): Promise<Result<string>> {
    const before = stampOf(store.index)
    if (last && last.index === before) return ok(last.tree)
    const written = await store.git({ args: ['write-tree'], signal })
    if (!written.ok) return written
    const tree = written.value.stdout.toString().trim()
    last = { index: stampOf(store.index), tree }
    return ok(tree)
  }

  async function attempt(signal: AbortSignal | undefined): Promise<Result<Saved>> {
    let added = await add(signal)
    // Once more: a file that was being written or removed while git read it is not a failure.
    if (added.ok && added.value.complaint !== null) added = await add(signal)
    if (!added.ok) return added
    const { complaint } = added.value
    const left = complaint === null ? ok([]) : await leftOver(store, complaint, signal)
    if (!left.ok) return left
    const tree = await writeTree(signal)
    if (!tree.ok) return tree
    const skipped = new Set([...added.value.special, ...added.value.unreadable, ...left.value])
    return ok({ tree: tree.value, skipped: [...skipped].sort() })
  }

  return async signal => {
    const cleared = await clearStaleLock(store, signal)
    if (!cleared.ok) return cleared
    const first = await attempt(signal)
    if (first.ok || signal?.aborted || (await indexIsSound(store))) return first
    rmSync(store.index, { force: true })
    return attempt(signal)
  }
}

/** Exit 1 is "some files could not be added": the caller looks which. */
function addAll(store: GitStore, signal: AbortSignal | undefined): Promise<Result<ExecResult>> {
  // The first time every file is new: one pack is one fsync, loose objects would be one each.
  const first = existsSync(store.index) ? [] : ['-c', 'core.bigFileThreshold=1']
  const args = [...first, 'add', '-A', '--ignore-errors', '--', '.']
  return store.git({ args, signal, codes: [0, 1] })
}

async function prime(
  store: GitStore,
  nested: string[],
  signal: AbortSignal | undefined,
): Promise<Result<null>> {
  if (nested.length === 0) return ok(null)
  const entries = nested.map(path => `100644 ${emptyBlob} 0\t${path}/${decoy}`)
  const args = ['update-index', '-z', '--index-info']
  const done = await store.git({ args, input: toList(entries), signal })
  return done.ok ? ok(null) : done
}

/** What is still different after an add: fine where it can not be saved, a failure where it should have been. */
async function leftOver(
  store: GitStore,
  complaint: string,
  signal: AbortSignal | undefined,
): Promise<Result<string[]>> {
  const args = ['ls-files', '-z', '--modified', '--others', '--exclude-standard']
  const listed = await store.git({ args, signal })
  if (!listed.ok) return listed
  // A directory is a repository of its own with nothing in it to save.
  const left = [...new Set(fromList(listed.value.stdout))].filter(path => !path.endsWith('/'))
  const unsaved = left.find(path => isSavable(store.tree, path))
  if (unsaved !== undefined) {
    const words = `${readable(unsaved)} in ${store.tree} could not be saved: ${lastLines(complaint)}.`
    return fail('step-failed', `${words} Nothing of it counts; solve this (is the disk full?) and resume.`)
  }
  // What is no file any more must not be restored as one from the entry it had before.
  const special = left.filter(path => isSpecial(statOrNull(store.tree, path)))
  if (special.length > 0) {
    const remove = ['update-index', '-z', '--force-remove', '--stdin']
    const removed = await store.git({ args: remove, input: toList(special), signal })
    if (!removed.ok) return removed
  }
  return ok(left)
}

function isSavable(tree: string, path: string): boolean {
  const stat = statOrNull(tree, path)
  if (stat === null || !isFile(stat)) return false
  // Git refuses these names whatever its configuration.
  if (/(^|\/)\.git(\/|$)/i.test(path)) return false
  if (stat.isSymbolicLink()) return !/(^|\/)\.gitmodules$/i.test(path)
  try {
    closeSync(openSync(absolute(tree, path), 'r'))
    return true
  } catch {
    return false
  }
}

export function isFile(stat: Stats): boolean {
  return stat.isFile() || stat.isSymbolicLink()
}

function isSpecial(stat: Stats | null): boolean {
  return stat !== null && !isFile(stat) && !stat.isDirectory()
}

export function statOrNull(tree: string, path: string): Stats | null {
  try {
    return lstatSync(absolute(tree, path))
  } catch {
    // Gone, or behind a directory that can not be entered: either way nothing can be read.
    return null
  }
}

function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : 'none'
}

/** Whether the index is as git wrote it, with every object it names; git itself does not look at the checksum. */
async function indexIsSound(store: GitStore): Promise<boolean> {
  if (!existsSync(store.index)) return true
  const bytes = readFileSync(store.index)
  const checksum = createHash('sha1').update(bytes.subarray(0, -20)).digest()
  if (!checksum.equals(bytes.subarray(-20))) return false
  const written = await store.git({ args: ['write-tree'], codes: [0, 128] })
  return !written.ok || written.value.code === 0
}
