/**
 * Lists directories for a scan, with a second thread where the tree is large: the scan takes known directories
 * from the front, the thread from the rear. Who lists a directory makes no difference to what is listed.
 *
 *   front: how far the scan has come        rear: from here on the thread has taken them
 *   0 ........ front -> ............ <- rear ........ end
 */
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Listed, type Lister, openLister } from './listing.ts'

export type Job = { id: number; tree: string; directories: string[]; shared: SharedArrayBuffer }

/**
 * `names` of a directory is null where it could not be listed, else each has a slash after it: one text crosses
 * sooner than many. `stats` has a row for each name of them all.
 */
export type Chunk = { job: number; start: number; names: (string | null)[]; stats: Float64Array }

export const front = 0
export const rear = 1
export const chunkSize = 32
export const numbersPerName = 5

export type List = (directory: string, stat: Listed['stat'] | undefined) => Listed[] | Promise<Listed[]>

/** Fewer directories than this are listed before the thread has looked at its first, or before it has begun. */
const worthIt = 300
const worthBeginning = 3_000

const secondWalker = join(import.meta.dirname, `second-walker${extname(import.meta.filename)}`)

type Listing = { listed: Listed[] | null }

/** One thread for all trees of this program: a scan that finds it busy goes alone. */
const thread = { worker: null as Worker | null, jobs: 0, waiting: 0, receivers: new Map<number, Receive>() }

type Receive = (chunk: Chunk | null) => void

/** Null where none may be started, or there is no room for one more: a scan goes alone then. */
function start(): Worker | null {
  let worker: Worker
  try {
    worker = new Worker(secondWalker)
  } catch {
    return null
  }
  const die = () => {
    if (thread.worker !== worker) return
    thread.worker = null
    for (const receive of thread.receivers.values()) receive(null)
    thread.receivers.clear()
  }
  worker
    .on('message', (chunk: Chunk) => thread.receivers.get(chunk.job)?.(chunk))
    .once('error', die)
    .once('exit', die)
  // After the listeners: each that is added for messages keeps the program alive again.
  worker.unref()
  return worker
}

export type Walk = { list: List; end(): void }

export type Walkers = {
  /** For each scan, given the directories it will likely ask for, in that order. */
  walk(tree: string, directories: string[]): Walk
  /** A large tree will be walked soon: the thread takes its time to start. */
  expect(): void
}

export function openWalkers(): Walkers {
  const lister = openLister()
  let isFirst = true

  function walk(tree: string, directories: string[]): Walk {
    const enough = isFirst && !thread.worker ? worthBeginning : worthIt
    isFirst = false
    if (directories.length >= enough) thread.worker ??= start()
    if (directories.length < enough || !thread.worker)
      return { list: (directory, stat) => lister(tree, directory, stat), end: () => undefined }
    thread.jobs += 1
    const shared = new SharedArrayBuffer(8)
    Atomics.store(new Int32Array(shared), rear, directories.length)
    const job: Job = { id: thread.jobs, tree, directories, shared }
    thread.worker.postMessage(job, [])
    const shares = openShares(thread.worker, job, lister)
    thread.receivers.set(job.id, shares.receive)
    const end = () => {
      // Nothing is left for the thread to take.
      Atomics.store(new Int32Array(shared), front, directories.length)
      thread.receivers.delete(job.id)
      shares.receive(null)
    }
    return { list: shares.list, end }
  }

  return {
    walk,
    expect() {
      thread.worker ??= start()
    },
  }
}

/** A directory that the thread has taken is waited for; null for `receive`: nothing more comes. */
function openShares(worker: Worker, job: Job, lister: Lister): { list: List; receive: Receive } {
  const marks = new Int32Array(job.shared)
  const places = new Map(job.directories.map((directory, n) => [directory, n]))
  const done = new Map<number, Listing>()
  const waiting = new Map<number, (listing: Listing) => void>()
  const gone: Listing = { listed: null }
  let isGone = false

  function receive(chunk: Chunk | null): void {
    isGone ||= chunk === null
    if (chunk?.job === job.id) {
      let row = 0
      chunk.names.forEach((names, n) => {
        const listed = names === null ? null : listedFrom(names.split('/').slice(0, -1), chunk.stats, row)
        done.set(chunk.start + n, { listed })
        row += listed?.length ?? 0
      })
    }
    for (const [place, resolve] of waiting) {
      const found = taken(place)
      if (!found) continue
      waiting.delete(place)
      resolve(found)
    }
  }

  /** Once: whoever asks again looks for himself. */
  function taken(place: number): Listing | undefined {
    const found = done.get(place) ?? (isGone ? gone : undefined)
    if (found) done.set(place, gone)
    return found
  }

  async function fromThread(place: number): Promise<Listed[] | null> {
    // Only while somebody waits, for this tree or another, does the thread keep the program alive.
    thread.waiting += 1
    worker.ref()
    const { listed } = await new Promise<Listing>(resolve => waiting.set(place, resolve))
    thread.waiting -= 1
    if (thread.waiting === 0) worker.unref()
    return listed
  }

  return {
    receive,
    list(directory, stat) {
      const place = places.get(directory)
      if (place === undefined) return lister(job.tree, directory, stat)
      if (place < Atomics.load(marks, rear)) {
        Atomics.store(marks, front, place)
        return lister(job.tree, directory, stat)
      }
      const found = taken(place)
      if (found) return found.listed ?? lister(job.tree, directory)
      return fromThread(place).then(listed => listed ?? lister(job.tree, directory))
    },
  }
}

function listedFrom(names: readonly string[], numbers: Float64Array, row: number): Listed[] {
  const first = row * numbersPerName
  return names.map((name, n) => {
    const at = first + n * numbersPerName
    const stat = {
      mode: numbers[at] as number,
      size: numbers[at + 1] as number,
      mtimeMs: numbers[at + 2] as number,
      ctimeMs: numbers[at + 3] as number,
      ino: numbers[at + 4] as number,
    }
    return { name, stat }
  })
}
