/**
 * The snapshot of a tree as a file, for the next process. Only a cache: it is not synced, and its checksum says
 * whether it is whole. Each entry is checked against the file before it is used, so a stale cache costs time (what
 * changed since is read again) and can cause no wrong answer.
 *
 *   <sha1 of the rest>
 *   {"version":1,"usual":{…},"root":[mode,{"name":[file]},{"name":[directory]}]}
 */
import { createHash, hash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { isMissing, isOfSystem } from '../errors.ts'
import type { Dir, Snapshot } from './snapshot.ts'

const version = 1
const smallTree = 2_000
const idleMs = 200
const charactersPerStep = 64 * 1024

type FileRow = [
  mode: number,
  size: number,
  mtimeMs: number,
  ctimeMs: number,
  ino: number,
  racy: 0 | 1,
  id: string,
]
type DirRow = [mode: number, files: Record<string, FileRow>, dirs: Record<string, DirRow>]

type Cache = {
  /** Null where there is no whole cache. `has`: is the object of an id in the store? */
  read(has: (id: string) => boolean): Snapshot | null
  /** Writes the file now, in one go. */
  write(snapshot: Snapshot): void
  /** Writes the file later, once enough files had to be read. `read`: how many were, in this scan. */
  changed(snapshot: Snapshot, scanned: { read: number; files: number }): void
}

export function openCache(path: string): Cache {
  let latest: Snapshot | null = null
  let unwritten = 0
  let timer: NodeJS.Timeout | null = null
  let steps: Generator<void> | null = null

  function begin(snapshot: Snapshot): Generator<void> {
    if (timer) clearTimeout(timer)
    timer = null
    unwritten = 0
    steps?.return(undefined)
    steps = writeInSteps(path, snapshot)
    return steps
  }

  function write(snapshot: Snapshot): void {
    for (const _ of begin(snapshot));
  }

  /** A cache that cannot be written is no failure: the next process reads the files. A full disk is reported elsewhere. */
  function orNot(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!isOfSystem(error)) throw error
    }
  }

  function goOn(own: Generator<void>): void {
    // In steps, so that the other loops of this host get their turn.
    orNot(() => own.next().done !== true && setImmediate(() => goOn(own)).unref())
  }

  return {
    read: has => readSnapshot(path, has),
    write,
    changed(snapshot, { read, files }) {
      latest = snapshot
      unwritten += read
      if (files < smallTree) return orNot(() => write(snapshot))
      // A little later: by then the agent is at work, and nobody waits for this process.
      if (unwritten > files / 50) timer ??= setTimeout(() => latest && goOn(begin(latest)), idleMs).unref()
    },
  }
}

function* writeInSteps(path: string, snapshot: Snapshot): Generator<void> {
  const temporary = `${path}.tmp`
  const sum = createHash('sha1')
  // Another process may be writing it too: its file loses the name, so that two never mix.
  remove(temporary)
  const file = openSync(temporary, 'w', 0o600)
  const { ino } = fstatSync(file)
  const isOwn = () => lstatSync(temporary, { throwIfNoEntry: false })?.ino === ino
  try {
    writeSync(file, `${'0'.repeat(40)}\n`)
    for (const text of inSteps(textOf(snapshot))) {
      sum.update(text)
      writeSync(file, text)
      yield
    }
    writeSync(file, sum.digest('hex'), 0)
    if (isOwn()) renameSync(temporary, path)
  } finally {
    // Do not leave half a file behind: the disk may be full.
    if (isOwn()) remove(temporary)
    closeSync(file)
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

function* inSteps(texts: Iterable<string>): Generator<string> {
  let step = ''
  for (const text of texts) {
    step += text
    if (step.length < charactersPerStep) continue
    yield step
    step = ''
  }
  yield step
}

function* textOf({ root, usual }: Snapshot): Generator<string> {
  yield `{"version":${version},"usual":${JSON.stringify(usual)},"root":`
  yield* textOfDir(root)
  yield '}'
}

function* textOfDir(dir: Dir): Generator<string> {
  const files = [...dir.files].map(([name, file]): [string, FileRow] => {
    const { mode, size, mtimeMs, ctimeMs, ino, racy, id } = file
    return [name, [mode, size, mtimeMs, ctimeMs, ino, racy ? 1 : 0, id]]
  })
  yield `[${dir.mode},${JSON.stringify(Object.fromEntries(files))},{`
  let comma = ''
  for (const [name, child] of dir.dirs) {
    yield `${comma}${JSON.stringify(name)}:`
    yield* textOfDir(child)
    comma = ','
  }
  yield '}]'
}

function readSnapshot(path: string, has: (id: string) => boolean): Snapshot | null {
  // To open a FIFO would block for ever.
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return null
  const text = readFileSync(path, 'utf8')
  const body = text.slice(41)
  if (hash('sha1', body) !== text.slice(0, 40)) return null
  const found = JSON.parse(body)
  if (found.version !== version) return null
  return { usual: found.usual, root: fromRow(found.root, has), skipped: [], rules: '', checkpoint: null }
}

function fromRow([mode, files, dirs]: DirRow, has: (id: string) => boolean): Dir {
  const dir: Dir = { mode, files: new Map(), dirs: new Map() }
  for (const [name, row] of Object.entries(files)) {
    const [fileMode, size, mtimeMs, ctimeMs, ino, racy, id] = row
    // Where the store has lost the object, the file is read again.
    dir.files.set(name, { mode: fileMode, size, mtimeMs, ctimeMs, ino, id, racy: racy === 1 || !has(id) })
  }
  for (const [name, row] of Object.entries(dirs)) dir.dirs.set(name, fromRow(row, has))
  return dir
}
