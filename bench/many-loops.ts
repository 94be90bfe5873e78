/**
 * Many background loops whose agents wait at one gate. They are queued straight into the store: a thousand calls of
 * `loop start` would measure the start-up of Node.
 */

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { queueLoop } from '../src/engine/host.ts'
import { failureWords } from '../src/failures/words.ts'
import type { Spec } from '../src/model/loop/spec.ts'
import { pathsFrom } from '../src/store/files/paths.ts'
import { openStore } from '../src/store/sqlite/open.ts'

/** Returns the ids. A write to the FIFO `gate` in the directory `$ASIDE` lets the agents go on. */
export function queueMany(env: NodeJS.ProcessEnv, n: number): string[] {
  const store = openStore(pathsFrom(env))
  if (!store.ok) throw new Error(failureWords(store.failure))
  const ids = Array.from({ length: n }, (_, i) => {
    const cwd = join(env['ASIDE'] ?? '', `t${i}`)
    mkdirSync(cwd)
    return queueLoop(
      { store: store.value, now: Date.now },
      { spec: specIn(cwd), injected: [], env },
      'normal',
    )
  })
  store.value.close()
  return ids
}

function specIn(cwd: string): Spec {
  return {
    prompt: 'sleep',
    criteria: [{ name: 'ready', command: 'true' }],
    cwd,
    agent: 'custom',
    // Opening a FIFO blocks until another process opens it to write: a thousand waiting agents cost nothing.
    agentCmd: 'read line < "$ASIDE/gate"; exit 0',
    checkpoint: 'none',
    maxIterations: 1,
    budgetUsd: null,
    timeoutMs: 3_600_000,
    verifyTimeoutMs: 600_000,
    graceMs: 5_000,
    backoffMs: 1_000,
    maxOutputBytes: 1_000_000,
    baseline: false,
  }
}

/** The resident memory of a process, in bytes. */
export function memoryOf(pid: number): number {
  const [, kB = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kB) * 1_024
}
