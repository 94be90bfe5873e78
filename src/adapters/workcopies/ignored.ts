/**
 * Brings ignored files of the tree into a copy: no checkpoint has them. Small entries are copied. Large ones
 * (dependency directories) share blocks where the file system can do that; else they are frozen once as templates,
 * which are layers of an overlay in the runs of the copy; else, where mounts are not permitted, they are copied, with
 * progress, and searched for absolute paths of the tree.
 */
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { isDirectory, isLink, isRegular, joinPath, locate, readable } from '../../checkpoints/format/file.ts'
import { isIgnored, type Rules, rulesIn } from '../../checkpoints/format/ignore-rules.ts'
import { openRepository } from '../../checkpoints/objects/repository.ts'
import { isLoopsOwn } from '../../checkpoints/scan/ignored.ts'
import { type ListedDirectory, listDirectory } from '../../checkpoints/scan/listing.ts'
import { outerRules } from '../../checkpoints/scan/outer-rules.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { BlockSharing } from '../../platform/contract.ts'
import { platform } from '../../platform/platform.ts'
import type { WorkCopy } from './contract.ts'
import { copyLarge, copySmall, removeAll } from './copy-files.ts'
import { objectsPath } from './git-objects.ts'
import { siblings } from './home.ts'
import { copyRepository } from './independent.ts'
import { leftOut } from './left-out.ts'
import type { Making } from './local.ts'
import { freeze, use } from './templates.ts'
import { isLarge, type Weight, weigh } from './weigh.ts'

/**
 * The ignored files of a tree that were written in a span of time, by their ctime, which only root can set. No checkpoint
 * has them, so that this is how an agent's changes to them are seen. Dependency directories are compared elsewhere;
 * caches and build outputs are written by every run, and are left out of clean copies instead.
 */
export type WrittenIn = { sinceMs: number; untilMs: number }

type Walk = WrittenIn & { tree: string; outer: readonly Rules[]; signal: AbortSignal }

type WalkedDirectory = { path: string; stack: readonly Rules[]; ignored: boolean; isLeftover: boolean }

const mostEntries = 200_000

const mostFound = 200

const entriesPerBreath = 5_000

const dependencies =
  /^(?:node_modules|\.venv|venv|vendor|site-packages|\.tox|\.nox|\.cargo|\.mvn|\.yarn|\.pnpm-store)$/

const written =
  /^(?:__pycache__|\.(?:pytest|mypy|ruff|hypothesis)_cache|\.cache|\.(?:nyc_output|coverage|eslintcache|stylelintcache|turbo|parcel-cache|vite|next|nuxt|svelte-kit|angular|gradle|idea|vscode|DS_Store)|coverage|htmlcov|dist|build|out|target|obj|bin|tmp|logs?|CMakeFiles|_build)$|\.(?:py[co]|tsbuildinfo|log|tmp|swp|swo|o|obj|a|so|d|class|gcda|gcno|egg-info)$/

/**
 * `files`: without dependencies, caches and build outputs. `hasLeftovers`: a cache or a build output was written too, so
 * that a run in this tree may believe it.
 */
export type IgnoredWrites = { files: string[]; hasLeftovers: boolean }

export async function ignoredSince(walk: Walk): Promise<IgnoredWrites> {
  const { tree, outer, sinceMs, untilMs, signal } = walk
  const found: string[] = []
  let hasLeftovers = false
  const open: WalkedDirectory[] = [{ path: '', stack: outer, ignored: false, isLeftover: false }]
  let seen = 0
  for (let place = open.pop(); place && seen < mostEntries && found.length < mostFound; place = open.pop()) {
    const entries = listed(tree, place.path)
    if (Math.floor(seen / entriesPerBreath) < Math.floor((seen + entries.length) / entriesPerBreath))
      await breathe()
    signal.throwIfAborted()
    seen += entries.length
    const stack = place.ignored ? place.stack : withRules(tree, place, entries)
    for (const { name, stat } of entries) {
      const path = joinPath(place.path, name)
      const isDir = isDirectory(stat.mode)
      const ignored = place.ignored || isIgnored(stack, path, isDir)
      if (name === '.git' || isLoopsOwn(path) || (ignored && dependencies.test(name))) continue
      const isLeftover = place.isLeftover || (ignored && written.test(name))
      // One is enough to know.
      if (isLeftover && hasLeftovers) continue
      if (isDir) open.push({ path, stack, ignored, isLeftover })
      else if (!ignored || stat.ctimeMs <= sinceMs || stat.ctimeMs >= untilMs) continue
      else if (isLeftover) hasLeftovers = true
      else found.push(readable(path))
    }
  }
  return { files: found.sort(), hasLeftovers }
}

function isDependencies(path: string): boolean {
  return path.split('/').some(part => dependencies.test(part))
}

function listed(tree: string, path: string): ListedDirectory[] {
  try {
    return listDirectory(tree, path)
  } catch {
    return [] // it cannot be listed, so the promise cannot read it either
  }
}

function withRules(
  tree: string,
  { path, stack }: WalkedDirectory,
  entries: readonly ListedDirectory[],
): readonly Rules[] {
  const file = entries.find(({ name, stat }) => name === '.gitignore' && isRegular(stat.mode))
  return file
    ? [...stack, rulesIn(path, readFileSync(locate(tree, joinPath(path, '.gitignore')), 'latin1'))]
    : stack
}

type Brought = Pick<WorkCopy, 'how' | 'skipped' | 'references' | 'borrowed'> & { lower: string[] }
type Large = { path: string; weight: Weight }

/** Nothing is below the copy, and nothing in it names the tree. */
const alone = { lower: [], references: [], borrowed: [] }

const attempts = 3
/** More layers would make an overlay slow: the smallest of the large entries are copied instead. */
const mostLayers = 60

export async function bringIgnored(making: Making): Promise<Result<Brought>> {
  const { tree, path, store, request } = making
  const { signal } = request
  const { rules } = outerRules(openRepository({ tree: path, store, rulesOf: tree }))
  const found = await leftOut({ tree, copy: path, outer: rules, signal })
  for (const one of found.repositories) {
    const copied = await bringRepository(making, one)
    if (!copied.ok) return copied
  }
  const shared = layersOfSiblings(making)
  const large: Large[] = []
  const skipped = found.shut.map(readable)
  for (const one of found.ignored) {
    if (shared.has(readable(one))) continue
    const weight = await weigh(tree, one, signal)
    if (weight?.isShut) skipped.push(readable(one))
    if (weight && isLarge(weight) && isLate(making, one)) continue
    if (weight && isLarge(weight)) large.push({ path: one, weight })
    else if (weight) copySmallInto(making, one, weight)
    if (weight) await breathe()
  }
  if (request.dependencies === 'skip') return ok({ how: 'copy', ...alone, skipped })
  if (shared.size > 0) return share(making, shared, skipped)
  const named = large.filter(({ path: one }) => isUtf8(one))
  skipped.push(...large.filter(({ path: one }) => !isUtf8(one)).map(one => readable(one.path)))
  const brought = await bringLarge(
    making,
    named.map(one => ({ ...one, path: readable(one.path) })),
  )
  return brought.ok ? ok({ ...brought.value, skipped }) : brought
}

/** Is the name UTF-8? Only then can it be passed to a program as an argument. */
function isUtf8(path: string): boolean {
  return Buffer.from(readable(path)).toString('latin1') === path
}

function copySmallInto({ tree, path, request }: Making, one: string, { isShut }: Weight): void {
  try {
    const untilMs = isDependencies(readable(one)) ? undefined : request.ignoredUntilMs
    copySmall(Buffer.from(locate(tree, one)), Buffer.from(locate(path, one)), untilMs)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // An entry that cannot be read is reported; one that is gone meanwhile is not needed.
    if (!(isShut && (code === 'EACCES' || code === 'EPERM')) && code !== 'ENOENT') throw error
  }
}

/** A large directory that is no dependency is a build output: it is brought as the loop found it, or not at all. */
function isLate({ tree, request: { ignoredUntilMs } }: Making, one: string): boolean {
  if (ignoredUntilMs === undefined || isDependencies(readable(one))) return false
  const open = [locate(tree, one)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const stat = lstatSync(Buffer.from(next), { throwIfNoEntry: false })
    if (stat && stat.ctimeMs > ignoredUntilMs) return true
    if (stat?.isDirectory()) for (const name of readdirSync(next)) open.push(`${next}/${name}`)
  }
  return false
}

/** A nested `.git`. If it is a file that names a repository inside the tree, it names that of the copy in the copy. */
async function bringRepository({ tree, path, request }: Making, git: string): Promise<Result<null>> {
  if (!isUtf8(git)) return ok(null)
  const at = dirname(readable(git))
  const file = join(tree, at, '.git')
  const stat = lstatSync(file, { throwIfNoEntry: false })
  const named =
    stat?.isFile() && stat.size < 10_000 ? /^gitdir: ([^/].*)$/m.exec(readFileSync(file, 'utf8')) : null
  if (!named || !join(tree, at, named[1] ?? '').startsWith(`${tree}/`)) {
    return copyRepository(join(tree, at), join(path, at), { signal: request.signal })
  }
  copySmall(Buffer.from(file), Buffer.from(join(path, at, '.git')))
  return ok(null)
}

/** The templates of another copy of this base, by path: all copies of a group must have the same dependencies. */
function layersOfSiblings({ home, base, request }: Making): Map<string, string> {
  const layers = siblings(home, { loop: request.loop, base }).flatMap(
    ({ mounts }) => mounts?.[0]?.lower ?? [],
  )
  // Not the objects of the repository: the user goes on committing, and each copy gets what is there.
  return new Map(layers.flatMap(layer => pathOfLayer(layer) ?? []).filter(([at]) => at !== objectsPath))
}

function pathOfLayer(layer: string): [path: string, layer: string][] | null {
  try {
    return [[JSON.parse(readFileSync(join(dirname(layer), 'made'), 'utf8')).path, layer]]
  } catch {
    return null // it was removed
  }
}

async function share(
  making: Making,
  shared: ReadonlyMap<string, string>,
  skipped: string[],
): Promise<Result<Brought>> {
  const lower = [...shared.values()]
  const gone = lower.find(layer => !use(dirname(layer), making.home))
  if (gone !== undefined) return fail('step-failed', { kind: 'layer-gone', path: gone })
  return ok({ ...alone, how: 'overlay', lower, skipped })
}

async function bringLarge(making: Making, large: Large[]): Promise<Result<Omit<Brought, 'skipped'>>> {
  const { tree, path, home, isBound } = making
  if (large.length === 0) return ok({ how: platform.files.sharesBlocks(home) ? 'reflink' : 'copy', ...alone })
  const isBorrowed = making.request.dependencies === 'borrow' && making.isLayered
  if (platform.files.sharesBlocks(home) && !isBorrowed) {
    const copied = await copyAll(making, large, 'always')
    if (copied.ok || making.request.signal.aborted)
      return copied.ok ? ok({ how: 'reflink', ...alone }) : copied
    for (const one of large) await removeAll(join(path, one.path))
  }
  const heaviest = large.toSorted((a, b) => b.weight.files - a.weight.files)
  const layers = making.isLayered ? mostLayers : 0
  const layered = heaviest.slice(0, layers)
  const lower = isBorrowed ? ok([]) : await freezeAll(making, layered)
  if (!lower.ok) return lower
  const borrowed = isBorrowed ? layered.map(one => ({ path: one.path, print: one.weight.print })) : []
  const rest = heaviest.slice(layers)
  const copied = await copyAll(making, rest, 'never')
  if (!copied.ok) return copied
  if (layers > 0) return ok({ how: 'overlay', lower: lower.value, references: [], borrowed })
  const references = isBound
    ? []
    : referencesIn(
        path,
        rest.map(one => one.path),
        tree,
      )
  return ok({ ...alone, how: 'copy', references })
}

async function freezeAll(making: Making, large: readonly Large[]): Promise<Result<string[]>> {
  const { templates, tree, home, request, fault } = making
  const layers: string[] = []
  for (const { path, weight } of large) {
    const progress = (done: number, of: number) => request.progress?.({ path, done, of })
    const frozen = await freeze({
      templates,
      tree,
      path,
      weight,
      home,
      signal: request.signal,
      progress,
      fault,
    })
    if (!frozen.ok) return frozen
    layers.push(frozen.value)
  }
  return ok(layers)
}

async function copyAll(
  making: Making,
  large: readonly Large[],
  reflink: BlockSharing,
): Promise<Result<null>> {
  for (const one of large) {
    const copied = await copyStill(making, one, reflink)
    if (!copied.ok) return copied
  }
  return ok(null)
}

/** Copies an entry as it was at one moment: if it changes meanwhile, it is copied again. */
async function copyStill(
  making: Making,
  { path, weight }: Large,
  reflink: BlockSharing,
): Promise<Result<null>> {
  const { tree, request } = making
  const { signal } = request
  const [from, to] = [join(tree, path), join(making.path, path)]
  let before: Weight | null = weight
  for (let attempt = 0; attempt < attempts && before; attempt += 1) {
    const progress = (done: number, of: number) => request.progress?.({ path, done, of })
    const copied = await copyLarge({ from, to, reflink, signal, progress })
    if (!copied.ok && (signal.aborted || !before.isShut)) return copied
    const after = await weigh(tree, path, signal)
    if (after?.print === before.print) return ok(null)
    before = after
    await removeAll(to)
  }
  return before ? fail('step-failed', { kind: 'changed-while-copied', path: from }) : ok(null)
}

/**
 * Finds files in dependency directories that name the tree by its absolute path: through them a command in a copy would
 * use the tree itself. They are virtual environments (pyvenv.cfg, the first line of scripts, activate), caches of
 * cmake, and links. Needed only where a copy cannot be mounted at the path of its tree.
 */

/** Deeper in an entry no file is known to name the place it was created in. */
const deepest = 4
const most = 20
const headBytes = 4096
/** The directories that scripts are in: a directory with thousands of packages is not read file by file. */
const scripts = /(^|\/)(bin|Scripts|\.bin)\/[^/]+$/
const named = /(^|\/)(pyvenv\.cfg|CMakeCache\.txt|\.pnp\.[cm]?js|\.git|[^/]+\.(pth|egg-link))$/

function referencesIn(copy: string, entries: readonly string[], tree: string): string[] {
  const found: string[] = []
  const open = entries.map(path => ({ path, depth: 0 }))
  for (let at = open.pop(); at && found.length < most; at = open.pop()) {
    const { path, depth } = at
    for (const { name, stat } of entriesBelow(copy, path)) {
      const below = joinPath(path, name)
      const isDir = isDirectory(stat.mode)
      if (isDir && depth < deepest) open.push({ path: below, depth: depth + 1 })
      else if (!isDir && refers(copy, { path: below, mode: stat.mode, tree })) found.push(readable(below))
    }
  }
  return found.slice(0, most).sort()
}

function entriesBelow(copy: string, path: string) {
  try {
    return listDirectory(copy, path)
  } catch {
    return [] // a file, or not readable
  }
}

function refers(copy: string, { path, mode, tree }: { path: string; mode: number; tree: string }): boolean {
  const at = locate(copy, path)
  const isOfTree = (text: string) => text === tree || text.includes(`${tree}/`) || text.includes(`${tree}\n`)
  try {
    if (isLink(mode)) return isOfTree(readlinkSync(at))
    if (!isRegular(mode)) return false
    if (named.test(path)) return isOfTree(headOf(at))
    if (!scripts.test(path)) return false
    const head = headOf(at)
    return /(^|\/)activate[^/]*$/.test(path) || head.startsWith('#!') ? isOfTree(head) : false
  } catch {
    return false // gone, or not readable
  }
}

function headOf(path: string | Buffer): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(headBytes)
    return bytes.subarray(0, readSync(file, bytes)).toString()
  } finally {
    closeSync(file)
  }
}
