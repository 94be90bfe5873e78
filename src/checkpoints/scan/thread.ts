/**
 * The second thread, as the main thread sees it: one for all trees of this program. It takes directories of a large
 * tree from the end while the main thread takes them from the front. Everything works without it, only slower.
 */
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Comparison } from './comparison.ts'
import type { Chunk, Listing } from './walkers.ts'

export type Job = { id: number; list: Listing } | { id: number; compare: Comparison }

/** A listing is answered in several chunks; a comparison once, without a chunk, when it is done. */
export type Answer = { id: number; chunk: Chunk | null }

/** Called with null when no more answers will come: the thread ended, or the job was. */
type Receive = (answer: Answer | null) => void

const secondThread = join(import.meta.dirname, `second-thread${extname(import.meta.filename)}`)

const own = { worker: null as Worker | null, jobs: 0, waiting: 0, receivers: new Map<number, Receive>() }

export function isThreadRunning(): boolean {
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

type Asked = {
  /** Keeps the program alive until the answer is there; otherwise the thread does not. */
  waitFor<T>(answer: Promise<T>): Promise<T>
  end(): void
}

/** Null where there is no thread. */
export function askThread(job: { list: Listing } | { compare: Comparison }, receive: Receive): Asked | null {
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
