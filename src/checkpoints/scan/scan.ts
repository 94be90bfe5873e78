/**
 * Walks the work tree and brings a snapshot up to date: only what is new, or whose stat differs, is read.
 * A directory in which nothing changed stays the same object, so that its tree need not be written again.
 *
 * What is saved: every file and link that is not ignored, and every one that was saved before though it is
 * ignored now (`known`), or that is asked for (`holds`). Nothing called .git, at any depth: a repository inside
 * is saved as the plain files it holds.
 */
import { readFileSync } from 'node:fs'
import { isMissing, Unable } from '../git/trouble.ts'
import type { Objects } from '../objects/objects.ts'
import { isIgnored, type Rules, rulesIn } from './ignore.ts'
import { isLoopsOwn } from './ignored.ts'
import { ancestorsOf, joinPath, type ListedDirectory, locate, lstatOrNull } from './listing.ts'
import { distrustMapped, isYoung } from './mapped.ts'
import { readFile } from './read-file.ts'
import { type Dir, type File, fileOf } from './snapshot.ts'
import { isDirectory, isLink, isRegular, type Stat, sameStat } from './stat.ts'
import type { List } from './walkers.ts'

export type ScanRequest = {
  tree: string
  list: List
  objects: Objects
  known: Dir | null
  /** Rules from outside the tree: above it, and of .git/info/exclude. */
  outer: readonly Rules[]
  /** Whether to save it though it is ignored; the path of a directory ends with a slash. */
  holds: (path: string) => boolean
  /** Whether an ignored file or directory is to be saved too; it is asked once for each outermost one. */
  includes: ((path: string, isDirectory: boolean) => boolean) | null
  seed: Given | null
  signal: AbortSignal | undefined
}

/** What is known from elsewhere. */
export type Given = {
  /** The ids of files in a directory, by name and stat. */
  idsIn(directory: string): (name: string, stat: Stat) => string | null
  /** A directory of which all is known, with all that is in it. */
  wholeAt(directory: string): Dir | null
}

/** `skipped`: what cannot be saved (FIFO, socket, device, unreadable), or is too much to be. */
export type Scanned = { root: Dir; skipped: string[]; files: number; read: number }

type Scan = ScanRequest & {
  startedMs: number
  skipped: string[]
  visited: number
  files: number
  read: number
  /** Files that were read shortly after they had changed. */
  young: File[]
}

type Place = {
  name: string
  path: string
  stat: ListedDirectory['stat']
  known: Dir | undefined
  stack: readonly Rules[]
  ignored: boolean
}

/** A directory that is being walked: its files are done, and its directories as far as `next`. */
type Open = Place & {
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
  if (!stat) throw new Unable(`The directory ${tree} is gone.`)
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

/** One loop and no recursion: to wait at each of many thousand directories would take longer than to look at it. */
async function walk(state: Scan, top: Place): Promise<Dir> {
  const open: Open[] = []
  let below: Place | null = top
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

/** Others want to do something too. */
function isDue(state: Scan): boolean {
  state.signal?.throwIfAborted()
  state.visited += 1
  return state.visited % directoriesPerBreath === 0
}

function enter(state: Scan, place: Place, found: readonly ListedDirectory[]): Open | Promise<Open> {
  const unchanged = filesUnchanged(found, place.known)
  const { files, rest } = unchanged ? { files: unchanged, rest: [] } : match(state, place, found)
  // Files that are as they were prove it too.
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

/** Not so where it, or one above it, has become a link since that was listed: what was listed is elsewhere. */
function isStillThere({ tree }: Scan, { path, stat }: Place): boolean {
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

/** The files that are known where each of them is as it was, and there is no other. */
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

/** The files whose id is known, and the rest. */
function match(state: Scan, { path, known }: Place, listed: readonly ListedDirectory[]) {
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

/** A file that was read again and is as it was stays the same object: then nothing of its directory is written. */
function kept(state: Scan, before: File | undefined, file: File): File {
  const isSame = before && before.id === file.id && sameStat(before, file)
  if (isSame) before.racy = file.racy
  else state.read += 1
  const now = isSame ? before : file
  if (isYoung(now, state.startedMs) && !isLink(now.mode)) state.young.push(now)
  return now
}

/** The next directory in it that is to be walked. */
function nextIn(state: Scan, here: Open): Place | null {
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

function wanted(state: Scan, place: Place): Place | null {
  const { path, known, stack } = place
  const ignored = place.ignored || isIgnored(stack, path, true)
  if (!ignored) return place
  const includes = isLoopsOwn(path) ? null : state.includes
  if (includes?.(path, true)) return { ...place, stack: [], ignored: false }
  if (includes && !place.ignored) state.skipped.push(path)
  if (!known && !state.holds(`${path}/`)) return null
  return { ...place, ignored: true }
}

function isWanted(state: Scan, place: Place, path: string): boolean {
  const { stack } = place
  if (state.holds(path)) return true
  if (!place.ignored && !isIgnored(stack, path, false)) return true
  if (!state.includes || place.ignored || isLoopsOwn(path)) return false
  if (state.includes(path, false)) return true
  state.skipped.push(path)
  return false
}

function list(state: Scan, place: Place): ListedDirectory[] | Promise<ListedDirectory[]> {
  try {
    const listing = state.list(place.path, place.stat)
    return listing instanceof Promise ? listing.catch(error => unlisted(state, place, error)) : listing
  } catch (error) {
    return unlisted(state, place, error)
  }
}

function unlisted(state: Scan, { path }: Place, error: unknown): ListedDirectory[] {
  if (path === '' && isMissing(error)) throw new Unable(`The directory ${state.tree} is gone.`)
  if (path === '') throw error
  if (!isMissing(error)) state.skipped.push(path)
  return []
}

function withRules(state: Scan, place: Place, listed: readonly ListedDirectory[]): readonly Rules[] {
  const found = listed.find(({ name }) => name === '.gitignore')
  // Git does not follow a link here, and a FIFO would make it wait for ever.
  if (!found || !isRegular(found.stat.mode) || place.ignored) return place.stack
  try {
    const text = readFileSync(locate(state.tree, joinPath(place.path, '.gitignore')), 'latin1')
    return [...place.stack, rulesIn(place.path, text)]
  } catch {
    return place.stack
  }
}

/** Apart from reading, since a wait for each of many thousand files takes longer than looking at them. */
function seeded(state: Scan, id: string | null, stat: Stat): File | null {
  if (id === null || !(isLink(stat.mode) || isRegular(stat.mode))) return null
  state.read += 1
  return fileOf(stat, id, state.startedMs)
}
