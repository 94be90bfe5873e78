/**
 * The other thread of a scan: lists directories from the end of the list towards the front, in chunks, until it
 * meets the scan itself. Each directory comes back as its names and a row of numbers per name.
 */
import { parentPort } from 'node:worker_threads'
import { type Listed, type Lister, openLister } from './listing.ts'
import { type Chunk, chunkSize, front, type Job, numbersPerName, rear } from './walkers.ts'

const mostTrees = 8
const listers = new Map<string, Lister>()

parentPort?.on('message', (job: Job) => {
  const shared = new Int32Array(job.shared)
  for (;;) {
    const end = Atomics.load(shared, rear)
    const start = Math.max(0, end - chunkSize)
    if (end === 0 || start <= Atomics.load(shared, front)) break
    Atomics.store(shared, rear, start)
    const chunk = chunkOf(job, start, end)
    parentPort?.postMessage(chunk, [chunk.stats.buffer as ArrayBuffer])
  }
})

function listerOf(tree: string): Lister {
  const lister = listers.get(tree) ?? openLister()
  if (listers.size >= mostTrees) listers.clear()
  listers.set(tree, lister)
  return lister
}

function chunkOf(job: Job, start: number, end: number): Chunk {
  const lister = listerOf(job.tree)
  const all = job.directories.slice(start, end).map(directory => listed(lister, job.tree, directory))
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
  return { job: job.id, start, names, stats }
}

/** Null where it can not be listed: the scan looks itself, and says what is wrong. */
function listed(lister: Lister, tree: string, directory: string): Listed[] | null {
  try {
    return lister(tree, directory)
  } catch {
    return null
  }
}
