/**
 * Walks the work tree and brings a snapshot up to date: only files that are new, or whose stat differs, are read.
 * A directory in which nothing changed stays the same object (`===`), so that its tree object is not written again.
 *
 * Saved is every file and link that is not ignored; of the ignored ones, those in the last snapshot (`known`), those
 * that `holds` asks for, and with `--checkpoint-ignored` the small ones (`includes`). Nothing named .git is saved, at
 * any depth: a nested repository is saved as the plain files of its work tree.
 */
import { readFileSync } from 'node:fs'
import { platform } from '../../platform/platform.ts'
import { codeOf, isMissing, Unable } from '../errors.ts'
import {
  ancestorsOf,
  isDirectory,
  isLink,
  isRegular,
  joinPath,
  locate,
  type Stat,
  sameStat,
} from '../format/file.ts'
import { isIgnored, type Rules, rulesIn } from '../format/ignore-rules.ts'
import { ChangedWhileRead, type Objects } from '../objects/objects.ts'
import { isLoopsOwn } from './ignored.ts'
import { type ListedDirectory, lstatOrNull } from './listing.ts'
import { type Dir, type File, fileOf } from './snapshot.ts'
import type { List } from './walkers.ts'

/** The kernel writes dirty pages back after 30 seconds, and checks every 5. */
const writtenBackMs = 60_000

/** Reading so many files again takes less time than looking at the mappings of all processes. */
const few = 32

/**
 * Files that a process can change without a change of their stat: those mapped into its memory. The first write to a
 * page of a shared mapping sets the modification time; further writes to the same page do not, until the kernel has
 * written the page back. So a file that changed in the last minute is read again in the next scan, whatever its stat
 * says. If those are many files, only the ones that some process has mapped for writing are read again.
 * Not covered: mappings of other users' processes, and old mappings on tmpfs, which never writes back.
 */
function isYoung({ ctimeMs }: { ctimeMs: number }, nowMs: number): boolean {
  return ctimeMs > nowMs - writtenBackMs
}

/** Marks as racy those of the given files whose bytes may change while their stat stays the same. */
async function distrustMapped(young: readonly File[]): Promise<void> {
  const mapped = young.length > few ? await platform.files.mappedForWriting() : null
  for (const file of young) file.racy ||= mapped === null || mapped.has(file.ino)
}

export type ScanRequest = {
  tree: string
  list: List
  objects: Objects
  known: Dir | null
  /** Ignore rules from outside the tree (scan/outer-rules). */
  outer: readonly Rules[]
  /** Is this path to be saved though it is ignored? The path of a directory ends with a slash. */
  holds: (path: string) => boolean
  /** Is this ignored path small enough to be saved too? Asked once for each outermost ignored path; null: none is. */
  includes: ((path: string, isDirectory: boolean) => boolean) | null
  seed: Given | null
  signal: AbortSignal | undefined
}

/** Ids of files from elsewhere (seed), for files that no snapshot knows. */
export type Given = {
  /** The id of a file of this directory, by name and stat; null where it must be read. */
  idsIn(directory: string): (name: string, stat: Stat) => string | null
  /** The directory, if everything in it at any depth is known; else null. */
  wholeAt(directory: string): Dir | null
}

/**
 * `skipped`: paths that cannot be saved (FIFO, socket, device, unreadable file), or are too large to be included.
 * `files`: how many are saved; `read`: how many of them are new to the snapshot.
 */
export type Scanned = { root: Dir; skipped: string[]; files: number; read: number }

type Scan = ScanRequest & {
  startedMs: number
  skipped: string[]
  visited: number
  files: number
  read: number
  /** Files that were read within a minute after they changed (scan/mapped). */
  young: File[]
}

type ScanDir = {
  name: string
  path: string
  stat: ListedDirectory['stat']
  known: Dir | undefined
  stack: readonly Rules[]
  ignored: boolean
}

/** A directory under way: its files are done, and its subdirectories up to `next` of `listed`. */
type Open = ScanDir & {
  listed: readonly ListedDirectory[]
  files: Dir['files']
  dirs: Dir['dirs']
  next: number
}

const directoriesPerBreath = 100

export async function scan(request: ScanRequest): Promise<Scanned> {
  const { tree, known, outer } = request
  const state: Scan = {
    ...request,
    startedMs: Date.now(),
    skipped: [],
    visited: 0,
    files: 0,
    read: 0,
    young: [],
  }
  const stat = lstatOrNull(tree, '')
  if (!stat) throw new Unable({ kind: 'tree-gone', tree })
  const top = { name: '', path: '', stat, known: known ?? undefined, stack: outer, ignored: false }
  const root = wholeAt(state, '') ?? (await walk(state, top))
  if (state.young.length > 0) await distrustMapped(state.young)
  return { root, skipped: state.skipped.sort(), files: state.files, read: state.read }
}

function wholeAt(state: Scan, path: string): Dir | null {
  const found = state.seed?.wholeAt(path) ?? null
  state.files += found?.alike?.count ?? 0
  state.read += found?.alike?.count ?? 0
  return found
}

/**
 * A loop with its own stack instead of recursion: an `await` for each of thousands of directories would cost more than
 * listing them.
 */
async function walk(state: Scan, top: ScanDir): Promise<Dir> {
  const open: Open[] = []
  let below: ScanDir | null = top
  for (;;) {
    while (below) {
      if (isDue(state)) await new Promise(resolve => setImmediate(resolve))
      const listing = list(state, below)
      const entered = enter(state, below, listing instanceof Promise ? await listing : listing)
      const here: Open = entered instanceof Promise ? await entered : entered
      open.push(here)
      below = nextIn(state, here)
    }
    const here = open.pop() as Open
    const above = open.at(-1)
    if (!above) return leave(here)
    above.dirs.set(here.name, leave(here))
    below = nextIn(state, above)
  }
}

/** Is it time to let other work of this process have its turn? Also the place where a scan is aborted. */
function isDue(state: Scan): boolean {
  state.signal?.throwIfAborted()
  state.visited += 1
  return state.visited % directoriesPerBreath === 0
}

function enter(state: Scan, place: ScanDir, found: readonly ListedDirectory[]): Open | Promise<Open> {
  const unchanged = filesUnchanged(found, place.known)
  const { files, rest } = unchanged ? { files: unchanged, rest: [] } : match(state, place, found)
  // Unchanged files also prove that the directory is the one that was listed.
  const isThere = (rest.length === 0 && files.size > 0) || isStillThere(state, place)
  const here: Open = { ...place, listed: [], files: new Map(), dirs: new Map(), next: 0 }
  if (!isThere) return here
  here.listed = found
  here.stack = withRules(state, place, found)
  here.files = files
  if (rest.length > 0) return readAll(state, here, rest)
  state.files += files.size
  return here
}

/** False where the directory, or one above it, was replaced by a link since: then another directory was listed. */
function isStillThere({ tree }: Scan, { path, stat }: ScanDir): boolean {
  const now = lstatOrNull(tree, path)
  if (!now || !isDirectory(now.mode)) return false
  if (now.ino === stat.ino) return true
  return ancestorsOf(path).every(above => isDirectory(lstatOrNull(tree, above)?.mode ?? 0))
}

function leave({ stat: { mode }, known, files, dirs }: Open): Dir {
  const sameDirs = known && isSameMap(dirs, known.dirs) ? known.dirs : dirs
  const same = known && known.mode === mode && files === known.files && sameDirs === known.dirs
  return same ? known : { mode, files, dirs: sameDirs }
}

function isSameMap<T>(a: Map<string, T>, b: Map<string, T>): boolean {
  if (a.size !== b.size) return false
  for (const [name, value] of a) if (b.get(name) !== value) return false
  return true
}

/** The known files of a directory, if every one is unchanged and there is no other; else null. */
function filesUnchanged(listed: readonly ListedDirectory[], known: Dir | undefined): Dir['files'] | null {
  if (!known) return null
  let count = 0
  for (const { name, stat } of listed) {
    if (isDirectory(stat.mode) || name === '.git') continue
    const before = known.files.get(name)
    if (!before || before.racy || !sameStat(before, stat)) return null
    count += 1
  }
  return count === known.files.size ? known.files : null
}

/** Splits a directory into files whose id is known already, and the rest, which must be read. */
function match(state: Scan, { path, known }: ScanDir, listed: readonly ListedDirectory[]) {
  const files: Dir['files'] = new Map()
  const rest: ListedDirectory[] = []
  const idOf = state.seed?.idsIn(path)
  for (const one of listed) {
    const { name, stat } = one
    if (isDirectory(stat.mode) || name === '.git') continue
    const before = known?.files.get(name)
    const unchanged = before && !before.racy && sameStat(before, stat)
    const found = unchanged ? before : seeded(state, idOf?.(name, stat) ?? null, stat)
    if (found) files.set(name, found)
    else rest.push(one)
  }
  return { files, rest }
}

async function readAll(state: Scan, here: Open, rest: readonly ListedDirectory[]): Promise<Open> {
  const { path, known, files } = here
  for (const { name, stat } of rest) {
    if (!known?.files.has(name) && !isWanted(state, here, joinPath(path, name))) continue
    const file = await readFile(state, joinPath(path, name), stat)
    if (file) files.set(name, kept(state, known?.files.get(name), file))
  }
  state.files += files.size
  if (known && isSameMap(files, known.files)) here.files = known.files
  return here
}

/** A file that was read again and is unchanged stays the same object, so that its directory counts as unchanged. */
function kept(state: Scan, before: File | undefined, file: File): File {
  const isSame = before && before.id === file.id && sameStat(before, file)
  if (isSame) before.racy = file.racy
  else state.read += 1
  const now = isSame ? before : file
  if (isYoung(now, state.startedMs) && !isLink(now.mode)) state.young.push(now)
  return now
}

/** The next subdirectory to walk; those that are known as a whole are taken over at once. */
function nextIn(state: Scan, here: Open): ScanDir | null {
  const { listed, known, stack } = here
  while (here.next < listed.length) {
    const { name, stat } = listed[here.next] as ListedDirectory
    here.next += 1
    if (!isDirectory(stat.mode) || name === '.git') continue
    const path = joinPath(here.path, name)
    const whole = wholeAt(state, path)
    if (whole) here.dirs.set(name, whole)
    if (whole) continue
    const place = { name, path, stat, known: known?.dirs.get(name), stack }
    const entered = wanted(state, { ...place, ignored: here.ignored })
    if (entered) return entered
  }
  return null
}

/** Null for a directory that is ignored, with nothing below it that is saved all the same. */
function wanted(state: Scan, place: ScanDir): ScanDir | null {
  const { path, known, stack } = place
  const ignored = place.ignored || isIgnored(stack, path, true)
  if (!ignored) return place
  const includes = isLoopsOwn(path) ? null : state.includes
  if (includes?.(path, true)) return { ...place, stack: [], ignored: false }
  if (includes && !place.ignored) state.skipped.push(path)
  if (!known && !state.holds(`${path}/`)) return null
  return { ...place, ignored: true }
}

function isWanted(state: Scan, place: ScanDir, path: string): boolean {
  const { stack } = place
  if (state.holds(path)) return true
  if (!place.ignored && !isIgnored(stack, path, false)) return true
  if (!state.includes || place.ignored || isLoopsOwn(path)) return false
  if (state.includes(path, false)) return true
  state.skipped.push(path)
  return false
}

function list(state: Scan, place: ScanDir): ListedDirectory[] | Promise<ListedDirectory[]> {
  try {
    const listing = state.list(place.path, place.stat)
    return listing instanceof Promise ? listing.catch(error => unlisted(state, place, error)) : listing
  } catch (error) {
    return unlisted(state, place, error)
  }
}

/** A directory that cannot be listed is skipped; one that is gone is left out. The tree itself must be there. */
function unlisted(state: Scan, { path }: ScanDir, error: unknown): ListedDirectory[] {
  if (path === '' && isMissing(error)) throw new Unable({ kind: 'tree-gone', tree: state.tree })
  if (path === '') throw error
  if (!isMissing(error)) state.skipped.push(path)
  return []
}

function withRules(state: Scan, place: ScanDir, listed: readonly ListedDirectory[]): readonly Rules[] {
  const found = listed.find(({ name }) => name === '.gitignore')
  // Git ignores a .gitignore that is a link, and to open a FIFO would block for ever.
  if (!found || !isRegular(found.stat.mode) || place.ignored) return place.stack
  try {
    const text = readFileSync(locate(state.tree, joinPath(place.path, '.gitignore')), 'latin1')
    return [...place.stack, rulesIn(place.path, text)]
  } catch {
    return place.stack
  }
}

/** Synchronous, unlike reading: an `await` for each of thousands of files would cost more than lstat of them. */
function seeded(state: Scan, id: string | null, stat: Stat): File | null {
  if (id === null || !(isLink(stat.mode) || isRegular(stat.mode))) return null
  state.read += 1
  return fileOf(stat, id, state.startedMs)
}

type Reads = {
  tree: string
  objects: Objects
  signal: AbortSignal | undefined
  startedMs: number
  /** Paths that cannot be saved are added here. */
  skipped: string[]
}

/** Null for a file that is gone, and for one that cannot be saved, which is added to `skipped`. */
async function readFile(state: Reads, path: string, stat: Stat): Promise<File | null> {
  if (!isLink(stat.mode) && !isRegular(stat.mode)) {
    const now = lstatOrNull(state.tree, path)
    if (!now || !platform.files.isWhiteout(now)) state.skipped.push(path)
    return null
  }
  try {
    const at = locate(state.tree, path)
    const id = isLink(stat.mode) ? state.objects.putLink(at) : await state.objects.putFile(at, state.signal)
    return fileOf(stat, id, state.startedMs)
  } catch (error) {
    return unread(state, path, error)
  }
}

async function unread(state: Reads, path: string, error: unknown): Promise<File | null> {
  const code = codeOf(error)
  // It changed its type between lstat and reading.
  if (error instanceof ChangedWhileRead || code === 'ELOOP' || code === 'EINVAL' || code === 'ENXIO') {
    const stat = lstatOrNull(state.tree, path)
    return stat && !isDirectory(stat.mode) ? readFile(state, path, stat) : null
  }
  if (isMissing(error)) return null
  if (code !== 'EACCES' && code !== 'EPERM') throw error
  state.skipped.push(path)
  return null
}
