/** One more thread, for all trees of this program: it looks at large ones from the rear while a scan goes on at the front. */
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Comparison } from '../seed/comparison.ts'
import type { Chunk, Listing } from './walkers.ts'

export type Job = { id: number; list: Listing } | { id: number; compare: Comparison }

/** Several come for one job, or one where it is done. */
export type Answer = { id: number; chunk: Chunk | null }

/** Null: nothing more comes. */
type Receive = (answer: Answer | null) => void

const secondThread = join(import.meta.dirname, `second-thread${extname(import.meta.filename)}`)

const own = { worker: null as Worker | null, jobs: 0, waiting: 0, receivers: new Map<number, Receive>() }

export function isThreadRunning(): boolean {
  return own.worker !== null
}

/** It takes its time to start. Where none may be started, or there is no room for one more, there is none. */
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
  // After the listeners: each that is added for messages keeps the program alive again.
  worker.unref()
  own.worker = worker
}

type Asked = {
  /** Only while somebody waits, for this job or another, does the thread keep the program alive. */
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
