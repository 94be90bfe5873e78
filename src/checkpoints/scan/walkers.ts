/**
 * Lists the directories of a tree for a scan. In a large tree a second thread helps: the list of expected directories
 * is shared, the scan takes them from the front and the thread from the rear, until they meet.
 *
 *   front: how far the scan has come        rear: from here on the thread has taken them
 *   0 ........ front -> ............ <- rear ........ end
 */

import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Comparison } from './comparison.ts'
import { type ListedDirectory, type Lister, openLister } from './listing.ts'

export type Listing = { tree: string; directories: string[]; shared: SharedArrayBuffer }

/**
 * The listings of some directories, from the number `start` on. `names`: for each directory one string, in which every
 * name has a slash after it (one string is passed between threads faster than many); null where it could not be
 * listed. `stats`: a row of numbers for each name of all of them.
 */
export type Chunk = { start: number; names: (string | null)[]; stats: Float64Array }

export const front = 0
export const rear = 1
export const chunkSize = 32
export const numbersPerName = 5

export type List = (
  directory: string,
  stat: ListedDirectory['stat'] | undefined,
) => ListedDirectory[] | Promise<ListedDirectory[]>

/** With fewer directories the main thread is done before the second one can help, or has started. */
export const worthAsking = 300
const worthStarting = 3_000

type FoundListing = { listed: ListedDirectory[] | null }

type Walk = { list: List; end(): void }

export type Walkers = {
  /** Begins one scan. `directories`: those it will probably ask for, in that order. */
  walk(tree: string, directories: string[]): Walk
}

export function openWalkers(): Walkers {
  const lister = openLister()
  let isFirst = true

  return {
    walk(tree, directories) {
      const enough = isFirst && !isThreadRunning() ? worthStarting : worthAsking
      isFirst = false
      const alone = {
        list: (directory, stat) => lister(tree, directory, stat),
        end: () => undefined,
      } satisfies Walk
      if (directories.length < enough) return alone
      startThread()
      const shared = new SharedArrayBuffer(8)
      Atomics.store(new Int32Array(shared), rear, directories.length)
      return shareWithThread({ tree, directories, shared }, lister) ?? alone
    },
  }
}

/** A walk that waits for the thread where the thread has taken a directory. Null where there is no thread. */
function shareWithThread(listing: Listing, lister: Lister): Walk | null {
  const { tree, directories } = listing
  const marks = new Int32Array(listing.shared)
  const places = new Map(directories.map((directory, n) => [directory, n]))
  const done = new Map<number, FoundListing>()
  const waiting = new Map<number, (found: FoundListing) => void>()
  const gone: FoundListing = { listed: null }
  let isGone = false

  function receive(answer: Answer | null): void {
    isGone ||= answer === null
    if (answer?.chunk) addChunk(done, answer.chunk)
    for (const [place, resolve] of waiting) {
      const found = taken(place)
      if (!found) continue
      waiting.delete(place)
      resolve(found)
    }
  }

  /** A listing is given out once: for a second request it could be out of date. */
  function taken(place: number): FoundListing | undefined {
    const found = done.get(place) ?? (isGone ? gone : undefined)
    if (found) done.set(place, gone)
    return found
  }

  const asked = askThread({ list: listing }, receive)
  if (!asked) return null
  return {
    list(directory, stat) {
      const place = places.get(directory)
      if (place === undefined) return lister(tree, directory, stat)
      if (place < Atomics.load(marks, rear)) {
        Atomics.store(marks, front, place)
        return lister(tree, directory, stat)
      }
      const found = taken(place)
      if (found) return found.listed ?? lister(tree, directory)
      const answer = new Promise<FoundListing>(resolve => waiting.set(place, resolve))
      return asked.waitFor(answer).then(({ listed }) => listed ?? lister(tree, directory))
    },
    end() {
      // Tells the thread that nothing is left to take.
      Atomics.store(marks, front, directories.length)
      asked.end()
    },
  }
}

function addChunk(done: Map<number, FoundListing>, { start, names, stats }: Chunk): void {
  let row = 0
  for (const [n, text] of names.entries()) {
    const listed = text === null ? null : listedFrom(text.split('/').slice(0, -1), stats, row)
    done.set(start + n, { listed })
    row += listed?.length ?? 0
  }
}

function listedFrom(names: readonly string[], numbers: Float64Array, row: number): ListedDirectory[] {
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

/**
 * The second thread, as the main thread sees it: one for all trees of this program. It takes directories of a large
 * tree from the end while the main thread takes them from the front. Everything works without it, only slower.
 */

export type Job = { id: number; list: Listing } | { id: number; compare: Comparison }

/** A listing is answered in several chunks; a comparison once, without a chunk, when it is done. */
export type Answer = { id: number; chunk: Chunk | null }

/** Called with null when no more answers will come: the thread ended, or the job was. */
type Receive = (answer: Answer | null) => void

const secondThread = join(import.meta.dirname, `second-thread${extname(import.meta.filename)}`)

const own = { worker: null as Worker | null, jobs: 0, waiting: 0, receivers: new Map<number, Receive>() }

function isThreadRunning(): boolean {
  return own.worker !== null
}

/** Takes some 50 ms in the background. Where no thread can be started, there is none. */
export function startThread(): void {
  if (own.worker) return
  let worker: Worker
  try {
    worker = new Worker(secondThread)
  } catch {
    return
  }
  const die = () => {
    if (own.worker !== worker) return
    own.worker = null
    for (const receive of own.receivers.values()) receive(null)
    own.receivers.clear()
  }
  worker
    .on('message', (answer: Answer) => own.receivers.get(answer.id)?.(answer))
    .once('error', die)
    .once('exit', die)
  // Only after the listeners: adding one for messages makes the thread keep the program alive again.
  worker.unref()
  own.worker = worker
}

type RunningJob = {
  /** Keeps the program alive until the answer is there; otherwise the thread does not. */
  waitFor<T>(answer: Promise<T>): Promise<T>
  end(): void
}

/** Null where there is no thread. */
export function askThread(
  job: { list: Listing } | { compare: Comparison },
  receive: Receive,
): RunningJob | null {
  const { worker } = own
  if (!worker) return null
  own.jobs += 1
  const id = own.jobs
  worker.postMessage({ ...job, id }, [])
  own.receivers.set(id, receive)
  return {
    async waitFor(answer) {
      own.waiting += 1
      worker.ref()
      const found = await answer
      own.waiting -= 1
      if (own.waiting === 0) worker.unref()
      return found
    },
    end() {
      own.receivers.delete(id)
      receive(null)
    },
  }
}
