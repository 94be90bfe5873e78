/**
 * Walks the work tree and brings a snapshot up to date: only what is new, or whose stat differs, is read.
 * A directory in which nothing changed stays the same object, so that its tree need not be written again.
 *
 * What is saved: every file and link that is not ignored, and every one that was saved before though it is
 * ignored now (`known`), or that is asked for (`holds`). Nothing called .git, at any depth: a repository inside
 * is saved as the plain files it holds.
 */
import { readFileSync } from 'node:fs'
import { codeOf, isMissing, Unable } from '../git/trouble.ts'
import { ChangedWhileRead, type Objects } from '../objects/objects.ts'
import { isIgnored, type Rules, rulesIn } from './ignore.ts'
import { clockStepMs, joinPath, type Listed, locate, lstatOrNull } from './listing.ts'
import { type Dir, type File, isDirectory, isLink, isRegular, type Stat, sameStat } from './snapshot.ts'
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
  /** The id of a file known from elsewhere, by its stat. */
  seed: ((path: string, stat: Stat) => string | null) | null
  signal: AbortSignal | undefined
}

/** `skipped`: what can not be saved (FIFO, socket, device, unreadable), or is too much to be. */
export type Scanned = { root: Dir; skipped: string[]; files: number; read: number }

type Scan = ScanRequest & {
  startedMs: number
  skipped: string[]
  visited: number
  files: number
  read: number
}

type Place = { path: string; mode: number; known: Dir | undefined; stack: readonly Rules[]; ignored: boolean }

const directoriesPerBreath = 100

export async function scan(request: ScanRequest): Promise<Scanned> {
  const { tree, known, outer } = request
  const state: Scan = { ...request, startedMs: Date.now(), skipped: [], visited: 0, files: 0, read: 0 }
  const mode = lstatOrNull(tree, '')?.mode ?? 0
  const stack = outer
  const root = await visit(state, { path: '', mode, known: known ?? undefined, stack, ignored: false })
  return { root, skipped: state.skipped.sort(), files: state.files, read: state.read }
}

async function visit(state: Scan, place: Place): Promise<Dir> {
  const { path, mode, known } = place
  state.visited += 1
  if (state.visited % directoriesPerBreath === 0) await new Promise(resolve => setImmediate(resolve))
  state.signal?.throwIfAborted()
  const listed = await list(state, path)
  const stack = withRules(state, place, listed)
  const here = { ...place, stack }
  const files = filesUnchanged(listed, known) ?? (await filesIn(state, here, listed))
  state.files += files.size
  const dirs = await dirsIn(state, here, listed)
  const same = known !== undefined && known.mode === mode && files === known.files && dirs === known.dirs
  return same ? known : { mode, files, dirs }
}

/** The files that are known where each of them is as it was, and there is no other. */
function filesUnchanged(listed: readonly Listed[], known: Dir | undefined): Dir['files'] | null {
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

async function filesIn(state: Scan, place: Place, listed: readonly Listed[]): Promise<Dir['files']> {
  const { path, known } = place
  const files: Dir['files'] = new Map()
  let same = known !== undefined
  for (const { name, stat } of listed) {
    if (isDirectory(stat.mode) || name === '.git') continue
    const at = joinPath(path, name)
    const before = known?.files.get(name)
    if (!before && !isWanted(state, place, at)) continue
    const unchanged = before && !before.racy && sameStat(before, stat)
    const file = unchanged ? before : (seeded(state, at, stat) ?? (await read(state, at, stat)))
    if (!file) continue
    files.set(name, file)
    same &&= file === before
  }
  return same && known?.files.size === files.size ? known.files : files
}

async function dirsIn(state: Scan, place: Place, listed: readonly Listed[]): Promise<Dir['dirs']> {
  const { path, known } = place
  const dirs: Dir['dirs'] = new Map()
  let same = known !== undefined
  for (const { name, stat } of listed) {
    if (!isDirectory(stat.mode) || name === '.git') continue
    const before = known?.dirs.get(name)
    const child = await directory(state, {
      ...place,
      path: joinPath(path, name),
      mode: stat.mode,
      known: before,
    })
    if (!child) continue
    dirs.set(name, child)
    same &&= child === before
  }
  return same && known?.dirs.size === dirs.size ? known.dirs : dirs
}

async function directory(state: Scan, place: Place): Promise<Dir | null> {
  const { path, known, stack } = place
  const ignored = place.ignored || isIgnored(stack, path, true)
  if (!ignored) return visit(state, place)
  if (state.includes?.(path, true)) return visit(state, { ...place, stack: [], ignored: false })
  if (state.includes && !place.ignored) state.skipped.push(path)
  if (!known && !state.holds(`${path}/`)) return null
  return visit(state, { ...place, ignored: true })
}

function isWanted(state: Scan, place: Place, path: string): boolean {
  const { stack } = place
  if (state.holds(path)) return true
  if (!place.ignored && !isIgnored(stack, path, false)) return true
  if (!state.includes || place.ignored) return false
  if (state.includes(path, false)) return true
  state.skipped.push(path)
  return false
}

async function list(state: Scan, path: string): Promise<Listed[]> {
  try {
    return await state.list(path)
  } catch (error) {
    if (path === '' && isMissing(error)) throw new Unable(`The directory ${state.tree} is gone.`)
    if (path === '') throw error
    if (!isMissing(error)) state.skipped.push(path)
    return []
  }
}

function withRules(state: Scan, place: Place, listed: readonly Listed[]): readonly Rules[] {
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
function seeded(state: Scan, path: string, stat: Stat): File | null {
  if (!state.seed || !(isLink(stat.mode) || isRegular(stat.mode))) return null
  const id = state.seed(path, stat)
  if (!id) return null
  state.read += 1
  return fileOf(state, stat, id)
}

/** Null for what is gone, and for what can not be saved: that is noted. */
async function read(state: Scan, path: string, stat: Stat): Promise<File | null> {
  state.read += 1
  if (!isLink(stat.mode) && !isRegular(stat.mode)) {
    state.skipped.push(path)
    return null
  }
  try {
    const at = locate(state.tree, path)
    const id = isLink(stat.mode) ? state.objects.putLink(at) : await state.objects.putFile(at, state.signal)
    return fileOf(state, stat, id)
  } catch (error) {
    return unread(state, path, error)
  }
}

async function unread(state: Scan, path: string, error: unknown): Promise<File | null> {
  const code = codeOf(error)
  // It became something else between the look and the reading.
  if (error instanceof ChangedWhileRead || code === 'ELOOP' || code === 'EINVAL' || code === 'ENXIO') {
    const stat = lstatOrNull(state.tree, path)
    return stat && !isDirectory(stat.mode) ? read(state, path, stat) : null
  }
  if (isMissing(error)) return null
  if (code !== 'EACCES' && code !== 'EPERM') throw error
  state.skipped.push(path)
  return null
}

function fileOf(state: Scan, stat: Stat, id: string): File {
  const { mode, size, mtimeMs, ctimeMs, ino } = stat
  return { mode, size, mtimeMs, ctimeMs, ino, id, racy: ctimeMs > state.startedMs - clockStepMs(ctimeMs) }
}
