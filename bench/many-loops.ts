/**
 * Many loops of the background whose agents wait at one gate: queued straight into the store, since a thousand
 * starts of a program would be a measure of the machine.
 */

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { queueLoop } from '../src/engine/host.ts'
import type { Spec } from '../src/model/loop/spec.ts'
import { pathsFrom } from '../src/store/files/paths.ts'
import { openStore } from '../src/store/sqlite/open.ts'
import { failureWords } from '../src/views/words/failure/words.ts'

/** The FIFO `gate` in the directory that $ASIDE names is opened by writing to it. */
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
    // Opening it waits until somebody writes: a thousand of these cost nothing.
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

/** Resident, in bytes. */
export function memoryOf(pid: number): number {
  const [, kB = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kB) * 1_024
}
