/**
 * The second thread. It has two jobs, and does both from the end of a list of directories towards the front, until it
 * meets the main thread: list directories for a scan (scan/walkers), or compare directories with the user's index
 * (scan/comparison).
 */
import { parentPort } from 'node:worker_threads'
import { type Comparison, openComparison } from './comparison.ts'
import { type ListedDirectory, type Lister, openLister } from './listing.ts'
import {
  type Answer,
  type Chunk,
  chunkSize,
  front,
  type Job,
  type Listing,
  numbersPerName,
  rear,
} from './walkers.ts'

const mostTrees = 8
const listers = new Map<string, Lister>()

parentPort?.on('message', (job: Job) => {
  const answer = (chunk: Chunk | null) => {
    const message: Answer = { id: job.id, chunk }
    parentPort?.postMessage(message, chunk ? [chunk.stats.buffer as ArrayBuffer] : [])
  }
  if ('list' in job) list(job.list, answer)
  else {
    compare(job.compare)
    answer(null)
  }
})

function compare(comparison: Comparison): void {
  const { count, compare: take } = openComparison(comparison)
  let directory = count - 1
  while (directory >= 0 && take(directory)) directory -= 1
}

function list(listing: Listing, answer: (chunk: Chunk) => void): void {
  const shared = new Int32Array(listing.shared)
  for (;;) {
    const end = Atomics.load(shared, rear)
    const start = Math.max(0, end - chunkSize)
    if (end === 0 || start <= Atomics.load(shared, front)) break
    Atomics.store(shared, rear, start)
    answer(chunkOf(listing, start, end))
  }
}

function listerOf(tree: string): Lister {
  const lister = listers.get(tree) ?? openLister()
  if (listers.size >= mostTrees) listers.clear()
  listers.set(tree, lister)
  return lister
}

function chunkOf({ tree, directories }: Listing, start: number, end: number): Chunk {
  const lister = listerOf(tree)
  const all = directories.slice(start, end).map(directory => listed(lister, tree, directory))
  const rows = all.flatMap(found => found ?? [])
  const stats = new Float64Array(rows.length * numbersPerName)
  let at = 0
  for (const { stat } of rows) {
    stats[at] = stat.mode
    stats[at + 1] = stat.size
    stats[at + 2] = stat.mtimeMs
    stats[at + 3] = stat.ctimeMs
    stats[at + 4] = stat.ino
    at += numbersPerName
  }
  const names = all.map(found => found && found.map(({ name }) => `${name}/`).join(''))
  return { start, names, stats }
}

/** Null where the directory cannot be listed: the main thread then tries itself, and reports the error. */
function listed(lister: Lister, tree: string, directory: string): ListedDirectory[] | null {
  try {
    return lister(tree, directory)
  } catch {
    return null
  }
}
