/**
 * Makes the work tree equal to a saved one (the target), touching only what differs.
 *
 *   save now -> compare -> save ignored files that are in the way -> ref keepAs, note "restoring"
 *            -> find what stays -> remove, write, permissions -> read back -> forget the note
 *
 * Nothing of the tree is touched before the note is durable. If the restore is killed after that, the note makes the
 * next attempt leave keepAs as it was before the first one. A file that is in no checkpoint is never deleted: it is
 * saved in keepAs first, or the restore refuses.
 *
 * What stays in place though the target does not have it: paths that the target could not save, and paths
 * that its rules ignore. The target does not say whether these were there at the time, so deleting them could
 * lose something. Files that something is mounted on stay too: they cannot be removed. The tree is not touched.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { platform } from '../../platform/platform.ts'
import type { Checkpoints, Preview, Restored } from '../contract.ts'
import { isOfSystem, Unable } from '../errors.ts'
import { ancestorsOf, isDirectory, isLink, isRegular, joinPath, locate, readable } from '../format/file.ts'
import { isIgnored, type Rules, rulesIn } from '../format/ignore-rules.ts'
import type { Objects } from '../objects/objects.ts'
import { openReader, type Reader } from '../objects/reader.ts'
import { addRef, ownCache, type Repository, refPath } from '../objects/repository.ts'
import { listDirectory, lstatOrNull } from '../scan/listing.ts'
import { outerRules } from '../scan/outer-rules.ts'
import { dirAt, fileAt } from '../scan/snapshot.ts'
import { apply } from './apply.ts'
import { type Change, compare, type Difference, readTarget, type Target } from './difference.ts'
import type { SavedTree, Saver } from './save.ts'

type RestoreRequest = Parameters<Checkpoints['restore']>[0] & {
  repository: Repository
  objects: Objects
  saver: Saver
  /** Are ignored files saved like all others? */
  ignoredToo: boolean
}

export function restoreTree(request: RestoreRequest): Promise<Result<Restored>> {
  return reading(request, restoreWith)
}

/** What `restore` would write and delete. Objects of the tree as it is now are saved, but get no ref. */
export function preview(request: RestoreRequest): Promise<Result<Preview>> {
  return reading(request, previewWith)
}

async function reading<T>(
  request: RestoreRequest,
  work: (reader: Reader, request: RestoreRequest) => Promise<T>,
): Promise<Result<T>> {
  const { repository, tree: id } = request
  if (!/^[0-9a-f]{40}$/.test(id)) {
    return fail('step-failed', { kind: 'not-an-id', id })
  }
  const reader = openReader(repository, request.objects)
  try {
    return ok(await work(reader, request))
  } finally {
    await reader.close()
  }
}

async function previewWith(reader: Reader, request: RestoreRequest): Promise<Preview> {
  const target = await readTarget(reader, request.tree)
  const all = await saveAll(reader, request, target)
  const { saved, difference, mounts } = all
  await request.saver.settle(request.signal)
  request.saver.remember()
  const plan = { reader, ...request, saved, target, difference, mounts, first: saved.id }
  const { stays } = await staying(plan)
  return {
    written: difference.write.map(({ path }) => readable(path)),
    deleted: difference.remove.filter(({ path }) => !stays.has(path)).map(({ path }) => readable(path)),
    left: leftAlone(request.repository.tree, target, all),
  }
}

async function restoreWith(reader: Reader, request: RestoreRequest): Promise<Restored> {
  const { repository, saver, signal } = request
  const target = await readTarget(reader, request.tree)
  const all = await saveAll(reader, request, target)
  const { saved, pipes, mounts, difference: found } = all
  const first = keep(request, saved.id)
  await saver.settle(signal)
  const plan = { reader, ...request, saved, target, difference: found, mounts, first }
  const { stays, staysEmpty } = await staying(plan)
  const remove = found.remove.filter(({ path }) => !stays.has(path))
  const [kept, goneDirs] = [true, false].map(is => found.goneDirs.filter(path => staysEmpty(path) === is))
  signal?.throwIfAborted()
  const unset = await apply({
    repository,
    objects: request.objects,
    reader,
    snapshot: saved.snapshot,
    target,
    difference: { ...found, remove, goneDirs: goneDirs ?? [] },
    pipes,
    spared: new Set([...stays, ...(kept ?? []), ...target.notes.skipped]),
  }).catch(error => halfDone(repository.tree, error))
  const left = [...new Set([...leftAlone(repository.tree, target, all), ...unset.map(readable)])].sort()
  saver.adopt(saved.snapshot, { written: found.write, forgotten: stays })
  forgetNote(repository)
  return { kept: first, written: found.write.length, deleted: remove.length, left }
}

/** The system refused a write in the middle, mostly because the disk is full. The note makes the next attempt exact. */
function halfDone(tree: string, error: unknown): never {
  if (!isOfSystem(error)) throw error
  throw new Unable({ kind: 'restored-half', tree, why: error.message })
}

/**
 * Paths that the restore leaves as they are: those that could not be saved, in the target or now, and those that
 * cannot be removed (mount points, nested repositories).
 */
function leftAlone(tree: string, target: Target, all: All): string[] {
  const { saved, difference, pipes, mounts } = all
  // An empty directory can be removed without being read.
  const removed = difference.goneDirs.filter(path => lstatOrNull(tree, path) === null)
  const gone = new Set([...pipes, ...removed])
  const stuck = difference.goneDirs.flatMap(path => stuckIn(tree, path, mounts))
  const fixed = difference.remove.map(({ path }) => path).filter(path => mounts.has(path))
  const left = new Set([...target.notes.skipped, ...saved.snapshot.skipped, ...stuck, ...fixed])
  return [...left]
    .filter(path => !gone.has(path))
    .sort()
    .map(readable)
}

/** Why a directory that the target does not have cannot be removed: a nested repository, or a mount on it. */
function stuckIn(tree: string, directory: string, mounts: Mounts): string[] {
  if (!isDirectory(lstatOrNull(tree, directory)?.mode ?? 0)) return []
  const repository = joinPath(directory, '.git')
  if (lstatOrNull(tree, repository)) return [repository]
  const isMounted = mounts.has(directory) || lstatSync(locate(tree, directory)).dev !== lstatSync(tree).dev
  return isMounted ? [directory] : []
}

type All = { saved: SavedTree; difference: Difference; pipes: string[]; mounts: Mounts }

/** Saves the tree as it is now, including ignored files that the target would overwrite. */
async function saveAll(reader: Reader, request: RestoreRequest, target: Target): Promise<All> {
  const { repository, saver, signal } = request
  const saved = await saver.look({ signal })
  const difference = await compare(reader, saved.snapshot, target)
  const found = inTheWay(repository.tree, difference.write, target)
  const unknown = found.directories.filter(path => !dirAt(saved.snapshot.root, path.split('/')))
  const [unsavable] = found.unsavable
  if (unsavable !== undefined) {
    throw new Unable({ kind: 'restore-deletes-unsaved', tree: repository.tree, path: readable(unsavable) })
  }
  mustBeReadable(repository.tree, shutAbove(repository.tree, saved, difference))
  const mounts = mountsIn(repository.tree)
  mustBeFree(repository.tree, { target, difference, mounts })
  const { pipes } = found
  if (found.save.length + unknown.length === 0) return { saved, difference, pipes, mounts }
  const above = [...found.save, ...unknown].flatMap(ancestorsOf)
  const hold = new Set([...found.save, ...[...unknown, ...above].map(at => `${at}/`)])
  const all = await saver.look({ signal, hold })
  const isSaved = (path: string) => fileAt(all.snapshot.root, path) !== undefined
  mustBeReadable(
    repository.tree,
    found.save.find(path => !isSaved(path)),
  )
  return { saved: all, difference: await compare(reader, all.snapshot, target), pipes, mounts }
}

/** A directory that something must be written into, but that cannot be listed or entered. */
function shutAbove(tree: string, { snapshot }: SavedTree, { write }: Difference): string | undefined {
  const skipped = new Set(snapshot.skipped)
  if (skipped.size === 0) return undefined
  const above = new Set(write.flatMap(({ path }) => ancestorsOf(path)))
  return [...above].find(path => skipped.has(path) && isShut(tree, path))
}

/** Some skipped directories can be listed: those that were too large to be included. */
function isShut(tree: string, directory: string): boolean {
  if (!isDirectory(lstatOrNull(tree, directory)?.mode ?? 0)) return false
  try {
    listDirectory(tree, directory)
    return false
  } catch {
    return true
  }
}

function mustBeReadable(tree: string, path: string | undefined): void {
  if (path === undefined) return
  throw new Unable({ kind: 'restore-over-unreadable', tree, path: readable(path) })
}
function mustBeFree(
  tree: string,
  { target, difference, mounts }: { target: Target; difference: Difference; mounts: Mounts },
): void {
  const missing = [...target.notes.empty].filter(path => !isDirectory(lstatOrNull(tree, path)?.mode ?? 0))
  const found = barred(mounts, difference, missing)
  if (!found) return
  throw new Unable({ kind: 'restore-into-mount', tree, path: readable(found.path), why: found.why })
}

/**
 * What stands where the target has a file. `save`: files to add to the safety checkpoint. `pipes`: FIFOs, sockets and
 * whiteouts, which have no content. `unsavable`: reasons to refuse.
 */
type InTheWay = { save: string[]; directories: string[]; pipes: string[]; unsavable: string[] }

function inTheWay(tree: string, write: readonly Change[], target: Target): InTheWay {
  const found: InTheWay = { save: [], directories: [], pipes: [], unsavable: [] }
  const looked = new Map<string, boolean>()
  const look = (path: string) => {
    const stat = lstatOrNull(tree, path)
    if (stat === null) return
    if (/(^|\/)\.git$/.test(path)) found.unsavable.push(path)
    else if (isDirectory(stat.mode)) {
      found.directories.push(path)
      for (const name of namesIn(tree, path).map(one => joinPath(path, one))) {
        // Listed, but lstat fails: the directory may not be entered.
        if (lstatOrNull(tree, name) === null) found.unsavable.push(name)
        else look(name)
      }
    } else if (isRegular(stat.mode) || isLink(stat.mode)) found.save.push(path)
    else if (stat.isFIFO() || stat.isSocket() || platform.files.isWhiteout(stat)) found.pipes.push(path)
    else found.unsavable.push(path)
  }
  // Do not look through a symlink: the files behind it are not in the way, the link is.
  const isDir = (path: string) => {
    const known = looked.get(path)
    if (known !== undefined) return known
    const stat = lstatOrNull(tree, path)
    const answer = stat !== null && isDirectory(stat.mode)
    looked.set(path, answer)
    if (!answer) look(path)
    return answer
  }
  for (const { path, before } of write) if (!before && ancestorsOf(path).every(isDir)) look(path)
  for (const path of target.notes.empty) [...ancestorsOf(path), path].every(isDir)
  return found
}

function namesIn(tree: string, directory: string): string[] {
  return readdirSync(locate(tree, directory), { encoding: 'latin1' as BufferEncoding })
}

/**
 * Adds the ref keepAs and the note to the batch. Returns the checkpoint of the tree before the first attempt: `now`,
 * unless this call finishes a restore that was killed.
 */
function keep(request: RestoreRequest, now: string): string {
  const { repository, loop, tree, keepAs } = request
  const ref = refPath(repository, loop, keepAs)
  const note = JSON.stringify({ loop, tree, keepAs })
  const found = readNote(repository)
  if (found === note) {
    // Nobody asked for this half-restored state, but edits made since the kill must not be lost.
    addRef(repository, refPath(repository, loop, `${keepAs}-half`), { id: now, isNew: true })
    return readFileSync(ref, 'utf8').trim()
  }
  addRef(repository, ref, { id: now, isNew: true })
  if (found !== null) forgetNote(repository)
  repository.batch.note(notePath(repository), note)
  return now
}

/** One note for each tree of the store: a checkpoint of one working copy must not end the restore of another. */
function notePath({ dir, cache }: Repository): string {
  return join(dir, cache === ownCache ? 'restoring' : `restoring-${cache}`)
}

/** Null where no restore is under way. */
function readNote(repository: Repository): string | null {
  const path = notePath(repository)
  return lstatSync(path, { throwIfNoEntry: false }) ? readlinkSync(path) : null
}

export function forgetNote(repository: Repository): void {
  const path = notePath(repository)
  if (lstatSync(path, { throwIfNoEntry: false })) unlinkSync(path)
}

/**
 * Writes a saved tree into the directory of a new working copy. None of the precautions of a restore are needed (save
 * what is there, spare what is unknown, read back what was written): nobody uses the directory yet, and one that was
 * left half done is thrown away.
 */

/** `skipped`: paths that the saved tree could not save. */
export type Materialized = { written: number; skipped: string[] }

type MaterializeRequest = {
  repository: Repository
  objects: Objects
  saver: Saver
  tree: string
  signal: AbortSignal
  timeOf?: (path: string, id: string) => number | null
}

export async function materialize(request: MaterializeRequest): Promise<Result<Materialized>> {
  const { repository, objects, saver, signal, timeOf } = request
  const reader = openReader(repository, objects)
  try {
    const target = await readTarget(reader, request.tree)
    const { snapshot } = await saver.look({ signal })
    // The next checkpoint may refer to these objects.
    await saver.settle(signal)
    const difference = await compare(reader, snapshot, target)
    const spared = target.notes.skipped
    const here = { repository, objects, reader, snapshot, target, difference, signal }
    await apply({ ...here, pipes: [], spared, timeOf, isPrivate: true })
    saver.adopt(snapshot, { written: difference.write, forgotten: new Set(), isPrivate: true })
    return ok({ written: difference.write.length, skipped: [...spared] })
  } finally {
    await reader.close()
  }
}

type Plan = {
  reader: Reader
  repository: Repository
  /** Are ignored files saved like all others? */
  ignoredToo: boolean
  saved: SavedTree
  target: Target
  difference: Difference
  mounts: Mounts
  /** The checkpoint of the tree before the first attempt; that of `saved`, unless an attempt was killed before. */
  first: string
}

/** `stays`: files. `staysEmpty`: does a directory stay in which no file is left? */
type Staying = { stays: Set<string>; staysEmpty(path: string): boolean }

/**
 * After a restore that was killed, files stay that were not saved before its first attempt: it may have made them
 * visible by removing a rule. What stands in the way of a path of the target does not stay.
 */
async function staying(plan: Plan): Promise<Staying> {
  const { saved, target, first, mounts } = plan
  const { write, remove } = plan.difference
  const isResumed = first !== saved.id
  const held = isResumed ? await pathsOf(plan.repository, first) : null
  // With the same rules, every file that is saved now would have been saved in the target too.
  const rulesDiffer =
    isResumed ||
    target.notes.rules !== saved.snapshot.rules ||
    [...write, ...remove].some(({ path }) => isRules(path))
  const ignored = rulesDiffer && !plan.ignoredToo ? await rulesOfTarget(plan) : () => false
  const { skipped, empty } = target.notes
  const isSkipped = (path: string) =>
    skipped.size > 0 && [path, ...ancestorsOf(path)].some(at => skipped.has(at))
  const created = new Set(write.filter(({ before }) => !before).map(({ path }) => path))
  const needed = [...created, ...empty]
  const blocked = new Set(needed.flatMap(path => [path, ...ancestorsOf(path)]))
  const mayStay = (path: string) => !blocked.has(path) && !ancestorsOf(path).some(at => created.has(at))
  const isUnknown = (path: string, isDir: boolean) => isSkipped(path) || ignored(path, isDir)
  const stays = remove.filter(
    ({ path }) =>
      mounts.has(path) || (((held && !held.has(path)) || isUnknown(path, false)) && mayStay(path)),
  )
  return {
    stays: new Set(stays.map(({ path }) => path)),
    staysEmpty: path => mayStay(path) && isUnknown(path, true),
  }
}

async function pathsOf(repository: Repository, id: string): Promise<Set<string>> {
  const listed = await repository.git({ args: ['ls-tree', '-r', '-z', '--name-only', id] })
  if (!listed.ok) throw new Unable(listed.failure.facts)
  return new Set(listed.value.stdout.toString('latin1').split('\0').slice(0, -1))
}

type Ignores = (path: string, isDir: boolean) => boolean

async function rulesOfTarget({ reader, repository, saved, difference }: Plan): Promise<Ignores> {
  const rules = new Map<string, Rules>()
  const gone = new Set(difference.remove.map(({ path }) => path))
  const written = new Map(difference.write.map(change => [change.path, change]))
  const paths = [...difference.remove.map(({ path }) => path), ...difference.goneDirs]
  const directories = new Set(['', ...paths.flatMap(ancestorsOf)])
  for (const directory of directories) {
    const path = joinPath(directory, '.gitignore')
    const change = written.get(path) ?? fileAt(saved.snapshot.root, path)
    if (!change || gone.has(path) || ('link' in change ? change.link : isLink(change.mode))) continue
    const { content } = await reader.read(change.id)
    rules.set(directory, rulesIn(directory, content.toString('latin1')))
  }
  const outer = outerRules(repository).rules
  return (path, isDir) => {
    const above = ancestorsOf(path)
    const stackOf = (depth: number) => [
      ...outer,
      ...['', ...above.slice(0, depth)].flatMap(at => rules.get(at) ?? []),
    ]
    return (
      above.some((at, depth) => isIgnored(stackOf(depth), at, true)) ||
      isIgnored(stackOf(above.length), path, isDir)
    )
  }
}

function isRules(path: string): boolean {
  return /(^|\/)\.gitignore$/.test(path)
}

/**
 * Mounts inside a work tree, and what they forbid: a path that something is mounted on can be neither removed nor
 * replaced, and nothing can be changed below a read-only mount. Checked before a restore touches anything.
 */

/** The paths in the tree that something is mounted on; the value says whether that is read-only. */
type Mounts = ReadonlyMap<string, boolean>

function mountsIn(tree: string): Mounts {
  return new Map(platform.files.mountedBelow(tree).map(({ path, isReadOnly }) => [path, isReadOnly]))
}

/** A path that a restore would have to change but cannot, and why; null where no mount is in the way. */
function barred(
  mounts: Mounts,
  { write, remove, goneDirs }: Difference,
  empty: readonly string[],
): { path: string; why: string } | null {
  if (mounts.size === 0) return null
  const needed = new Set([
    ...write.flatMap(({ path }) => ancestorsOf(path)),
    ...empty,
    ...empty.flatMap(ancestorsOf),
  ])
  const replaced = [
    ...write.filter(change => !isModeOnly(change)).map(({ path }) => path),
    ...remove.map(({ path }) => path).filter(path => needed.has(path)),
  ]
  const fixed = replaced.find(path => [...mounts.keys()].some(at => at === path || at.startsWith(`${path}/`)))
  if (fixed !== undefined) return { path: fixed, why: 'on which something is mounted' }
  const changed = [...write, ...remove].map(({ path }) => path)
  const shut = [...changed, ...goneDirs, ...empty].find(
    path => !mounts.has(path) && isBelowReadOnly(mounts, path),
  )
  return shut === undefined ? null : { path: shut, why: 'which is mounted read-only' }
}

function isModeOnly({ before, id, link }: Change): boolean {
  return before !== null && before.id === id && !link && !isLink(before.mode)
}

function isBelowReadOnly(mounts: Mounts, path: string): boolean {
  const nearest = ancestorsOf(path).findLast(at => mounts.has(at))
  return nearest !== undefined && mounts.get(nearest) === true
}
