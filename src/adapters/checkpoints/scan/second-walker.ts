/**
 * The other thread of a scan: lists directories from the end of the list towards the front, in chunks, until it
 * meets the scan itself. Each directory comes back as its names and a row of numbers per name.
 */
import { parentPort } from 'node:worker_threads'
import { listDirectory } from './listing.ts'
import { type Chunk, chunkSize, front, type Job, numbersPerName, rear } from './walkers.ts'

parentPort?.on('message', (job: Job) => {
  const shared = new Int32Array(job.shared)
  for (;;) {
    const end = Atomics.load(shared, rear)
    const start = Math.max(0, end - chunkSize)
    if (end === 0 || start <= Atomics.load(shared, front)) break
    Atomics.store(shared, rear, start)
    const chunk = chunkOf(job, start, end)
    const buffers = chunk.stats.map(stats => stats.buffer as ArrayBuffer)
    parentPort?.postMessage(chunk, buffers)
  }
})

function chunkOf(job: Job, start: number, end: number): Chunk {
  const chunk: Chunk = { job: job.id, start, names: [], stats: [] }
  for (const directory of job.directories.slice(start, end)) {
    try {
      const listed = listDirectory(job.tree, directory)
      const numbers = new Float64Array(listed.length * numbersPerName)
      listed.forEach(({ stat }, n) => {
        numbers.set([stat.mode, stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino], n * numbersPerName)
      })
      chunk.names.push(listed.map(({ name }) => name))
      chunk.stats.push(numbers)
    } catch {
      // The scan looks itself, and says what is wrong.
      chunk.names.push(null)
      chunk.stats.push(new Float64Array())
    }
  }
  return chunk
}
