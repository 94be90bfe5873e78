/**
 * Working copies on this machine. The sources of a copy are written from the checkpoint store; for a btrfs subvolume
 * a snapshot is made first, and only the difference is written. The file `made` comes last: a copy without it is
 * incomplete, and is made again. Ignored files are brought by `ignored`.
 *
 *   <copies>/<loop>-<name>/<name of the tree>/   the copy; with an overlay its upper layer
 *   <copies>/<loop>-<name>/work, upper, lower-n  for the overlay
 *   <copies>/<loop>-<name>/borrowed-<n>/         for a directory of the tree that is a layer: what runs write there
 *   <copies>/<loop>-<name>/git                   for a tree inside a repository: a copy of that repository
 *   <copies>/<loop>-<name>/made                  the answer of `make`
 */
import { chmodSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { snapshotsOf, takeSnapshot } from '../../checkpoints/btrfs.ts'
import type { Taken } from '../../checkpoints/contract.ts'
import type { Rules } from '../../checkpoints/format/ignore-rules.ts'
import { type GitCheckpoints, gitCheckpoints } from '../../checkpoints/git/backend.ts'
import { copyCache, openRepository } from '../../checkpoints/objects/repository.ts'
import { outerRules, userRepository } from '../../checkpoints/scan/outer-rules.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Mount } from '../../model/loop/spec.ts'
import { platform } from '../../platform/platform.ts'
import { mayMount } from '../process/contain.ts'
import type { MakeRequest, WorkCopies, WorkCopy } from './contract.ts'
import { cp, removeAll } from './copy-files.ts'
import { linkObjects, objectsPath } from './git-objects.ts'
import { type Made, readMade, removeHome, writeMade } from './home.ts'
import { bringIgnored, ignoredSince } from './ignored.ts'
import { copyGit, copyRepository, forget, makeIndependent } from './independent.ts'
import { syncAll } from './templates.ts'
import { weigh } from './weigh.ts'

type LocalCopiesOptions = {
  tree: string
  /** The git store of the tree's checkpoints. */
  store: string
  /** The directory for copies, unless they must be on the file system of the tree. */
  copies: string
  /** The directory for frozen templates of dependency directories. */
  templates: string
  /** Decides how runs are contained. */
  env: NodeJS.ProcessEnv
  /** Called at points where a test may kill this process. */
  fault?: (point: string) => void
}

/** A copy that is being made. */
export type Making = LocalCopiesOptions & {
  request: MakeRequest
  home: string
  path: string
  base: string
  /** Do its runs see it at the path of the tree? Can it have layers there? */
  isBound: boolean
  isLayered: boolean
  checkpoints: GitCheckpoints
  timeOf: GitCheckpoints['timeOf']
  fault(point: string): void
}

export function localCopies(options: LocalCopiesOptions): WorkCopies {
  const { tree, store, fault = () => {} } = options
  const origin = gitCheckpoints({ tree, store })
  const opened = new Map<string, GitCheckpoints>()
  const place = placeOf(options)
  const homeOf = ({ loop, name }: { loop: string; name: string }) => join(place, `${loop}-${name}`)
  function checkpointsOf(path: string): GitCheckpoints {
    const known = opened.get(path)
    if (known) return known
    const made = gitCheckpoints({ tree: path, store, cache: copyCache(path), rulesOf: tree })
    opened.set(path, made)
    return made
  }

  function remove(path: string): Promise<Result<null>> {
    opened.delete(path)
    return removeHome(dirname(path), store)
  }

  async function makeAnew(request: MakeRequest, path: string): Promise<Result<WorkCopy>> {
    const startedMs = performance.now()
    const base = await baseOf(origin, request)
    if (!base.ok) return base
    fault('copy:base')
    const home = dirname(path)
    const here = { ...options, fault, request, home, path, base: base.value, ...sightOf(options, place) }
    const made = await make({ ...here, checkpoints: checkpointsOf(path), timeOf: origin.timeOf }).catch(
      error => stopped(tree, error),
    )
    if (!made.ok) {
      await remove(path)
      return made
    }
    const copy = { ...made.value, ms: Math.round(performance.now() - startedMs) }
    writeMade(home, { copy, dependencies: request.dependencies ?? 'share', store })
    fault('copy:made')
    return ok(copy)
  }

  return {
    pathOf: name => join(homeOf(name), basename(tree)),
    async make(request) {
      const path = join(homeOf(request), basename(tree))
      const there = readMade(dirname(path))
      if (there && isAsked(there, request)) return ok(there.copy)
      const removed = await remove(path)
      return removed.ok ? makeAnew(request, path) : removed
    },
    async save(copy, request) {
      const taken = await checkpointsOf(copy.path).take({ ...request, since: null })
      return taken.ok ? ok(idOf(taken.value)) : taken
    },
    changed: ({ borrowed }, signal) => changedIn(tree, borrowed, signal),
    ignoredSince: span => ignoredSince({ ...span, tree, outer: rulesAround(tree, store) }),
    merge: request => origin.merge(request),
    tree: origin,
    of: copy => checkpointsOf(copy.path),
    remove: copy => remove(copy.path),
  }
}

async function changedIn(
  tree: string,
  borrowed: WorkCopy['borrowed'],
  signal: AbortSignal,
): Promise<string | null> {
  for (const { path, print } of borrowed) if ((await weigh(tree, path, signal))?.print !== print) return path
  return null
}

function rulesAround(tree: string, store: string): readonly Rules[] {
  return outerRules(openRepository({ tree, store })).rules
}

async function make(making: Making): Promise<Result<Omit<WorkCopy, 'ms'>>> {
  const { tree, home, path, base, request, fault } = making
  const { signal } = request
  ensure(home)
  const wantsAll = (request.dependencies ?? 'share') === 'share'
  const snapshot =
    wantsAll && platform.files.isSubvolume(tree)
      ? await takeSnapshot({ tree, path, writable: true, signal })
      : null
  const isSnapshot = snapshot?.ok === true
  if (isSnapshot) await removeAll(join(path, '.loop'))
  else mkdirSync(path, { mode: lstatSync(tree).mode & 0o7777 })
  fault('copy:begun')
  const written = await making.checkpoints.materialize({ tree: base, signal, timeOf: making.timeOf })
  if (!written.ok) return written
  fault('copy:sources')
  const objects = isSnapshot ? await ownRepository(making) : await bringRepository(making)
  if (!objects.ok) return objects
  fault('copy:git')
  const ignored = isSnapshot
    ? ok({ how: 'snapshot' as const, lower: [], skipped: [], references: [], borrowed: [] })
    : await bringIgnored(making)
  if (!ignored.ok) return ignored
  fault('copy:ignored')
  const { how, lower, skipped, references, borrowed } = ignored.value
  const mounts = await mountsFor(making, [...lower, ...objects.value], borrowed)
  if (!mounts.ok) return mounts
  const synced = await syncAll(home)
  return synced.ok ? ok({ path, base, how, mounts: mounts.value, skipped, references, borrowed }) : synced
}

/** For a copy that is a snapshot: it has the .git of the tree already. */
async function ownRepository({ tree, path, request }: Making): Promise<Result<string[]>> {
  const stat = lstatSync(join(path, '.git'), { throwIfNoEntry: false })
  if (stat?.isDirectory()) forget(join(path, '.git'))
  const made = stat?.isFile() ? await makeIndependent(tree, path, { signal: request.signal }) : ok(null)
  return made.ok ? ok([]) : made
}

/** Returns the layer of objects, if there is one. Linked after the refs were copied: so every object they name is there. */
async function bringRepository(making: Making): Promise<Result<string[]>> {
  const { tree, path, isLayered, request } = making
  const { signal } = request
  const user = isLayered && !platform.files.sharesBlocks(path) ? userRepository(tree) : null
  if (user?.root !== tree) {
    const copied = await copyRepository(tree, path, { signal })
    return copied.ok ? ok([]) : copied
  }
  const { gitDirectory } = user
  const copied = await copyRepository(tree, path, { signal, isBare: true })
  if (!copied.ok) return copied
  const linked = await linkObjects({ ...making, gitDirectory, signal })
  if (!linked.ok) return linked
  if (linked.value !== null) return ok([linked.value])
  const [from, to] = [join(gitDirectory, 'objects'), join(path, objectsPath)]
  const plain = await cp({ from: [from], to: { as: to }, how: { reflink: 'auto' } }, signal)
  return plain.ok ? ok([]) : plain
}

async function mountsFor(
  making: Making,
  lower: string[],
  borrowed: WorkCopy['borrowed'],
): Promise<Result<Mount[] | null>> {
  const { tree, home, path, isBound, request } = making
  if (!isBound) return ok(null)
  const copy: Mount = { at: tree, lower, upper: path, work: lower.length > 0 ? join(home, 'work') : '' }
  if (lower.length > 0) platform.runs.prepareOverlay(copy)
  const layers = borrowed.map((one, n) => layerOf(making, one.path, n))
  // What is borrowed is laid out while the tree can be seen, and comes to its place when the copy is there.
  const mounts = [...layers.map(({ laid }) => laid), copy, ...layers.map(({ placed }) => placed)]
  const user = userRepository(tree)
  if (!user || user.root === tree) return ok(mounts)
  // Seen at the path of the tree, git would find the user's repository in a directory above.
  const upper = join(home, 'git')
  const { gitDirectory, ownDirectory } = user
  const copied = await copyGit(gitDirectory, upper, { signal: request.signal, keep: basename(ownDirectory) })
  return copied.ok ? ok([...mounts, { at: gitDirectory, lower: [], upper, work: '' }]) : copied
}

/** A directory of the tree as a layer below what runs in the copy write there. */
function layerOf({ tree, home, path }: Making, one: string, n: number): { laid: Mount; placed: Mount } {
  const place = join(home, `borrowed-${n}`)
  const [at, upper] = [join(place, 'at'), join(place, 'upper')]
  const lower = join(tree, one)
  const { mode } = lstatSync(lower)
  for (const directory of [at, upper]) mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(upper, mode & 0o7777)
  mkdirSync(join(path, one), { recursive: true })
  const laid: Mount = { at, lower: [lower], upper, work: join(place, 'work') }
  platform.runs.prepareOverlay(laid)
  return { laid, placed: { at: lower, lower: [], upper: at, work: '' } }
}

async function baseOf(origin: GitCheckpoints, request: MakeRequest): Promise<Result<string>> {
  const { loop, name, signal } = request
  if (request.base !== null) return ok(request.base)
  const taken = await origin.take({ loop, name: `${name}-base`, since: null, signal })
  return taken.ok ? ok(idOf(taken.value)) : taken
}

function idOf({ tree }: Taken): string {
  if (tree === null) throw new Error('Internal error: a git checkpoint has an id')
  return tree
}

/** Blocks can be shared within one file system only: then copies go beside the tree. */
function placeOf({ tree, copies }: LocalCopiesOptions): string {
  const isNear = statSync(ensure(copies)).dev === statSync(tree).dev
  return isNear || !platform.files.sharesBlocks(tree) ? copies : join(snapshotsOf(tree), 'copies')
}

function sightOf(options: LocalCopiesOptions, place: string): Pick<Making, 'isBound' | 'isLayered'> {
  const may = mayMount(ensure(place), options.env)
  const isBound = may.bind && !holdsOurs(options)
  return { isBound, isLayered: isBound && may.overlay }
}

/** Does the tree contain data of loop, or the user's home? A copy that is mounted over the tree would hide them. */
function holdsOurs({ tree, copies, templates, store, env }: LocalCopiesOptions): boolean {
  return [copies, templates, store, env['HOME'] ?? homedir()].some(path => `${path}/`.startsWith(`${tree}/`))
}

function ensure(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return directory
}

function isAsked({ copy, dependencies }: Made, request: MakeRequest): boolean {
  const isBase = request.base === null || request.base === copy.base
  return isBase && dependencies === (request.dependencies ?? 'share') && existsSync(copy.path)
}

/** An abort or an error of the system is a failure; any other error is a bug and is thrown. */
function stopped(tree: string, error: unknown): Result<never> {
  const { name, code, message } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError')
    return fail('step-failed', { kind: 'copy-stopped', tree })
  // The code of an error of the web is a number.
  if (typeof code !== 'string' || code.startsWith('ERR_')) throw error
  return fail('step-failed', { kind: 'copy-failed', tree, why: message })
}
