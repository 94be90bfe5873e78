/**
 * Start-up: `loop --help`, `loop status` with 10 000 finished loops and completion, against a bare start of the same
 * Node; and `loop --version` beside the `--version` of the agents.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { creation } from '../src/core/loop/assess/assess.ts'
import { fold } from '../src/core/loop/evolve.ts'
import { type LoopKinds, loopMachine } from '../src/core/loop/machine.ts'
import { summarize } from '../src/core/loop/summary.ts'
import { inEnvelopes } from '../src/engine/recorded.ts'
import { failureWords } from '../src/failures/words.ts'
import type { Spec } from '../src/model/loop/spec.ts'
import { pathsFrom } from '../src/store/files/paths.ts'
import { openDatabase, transaction } from '../src/store/sqlite/database.ts'
import { storeOver } from '../src/store/sqlite/open.ts'
import {
  interleaved,
  loopProgram,
  makePlace,
  ms,
  nodeProgram,
  type Place,
  printTable,
  runOrThrow,
} from './measure.ts'

const loops = 10_000

export async function cli(): Promise<void> {
  const place = makePlace()
  fillStore(place)
  const at = { cwd: place.tree, env: place.env }
  const medians = interleaved(25, {
    node: () => runOrThrow([nodeProgram, '-e', '0'], at),
    '--help': () => runOrThrow([loopProgram, '--help'], at),
    status: () => runOrThrow([loopProgram, 'status'], at),
    'status --json': () => runOrThrow([loopProgram, 'status', '--json'], at),
    'completion bash': () => runOrThrow([loopProgram, 'completion', 'bash'], at),
  })
  const bare = medians['node'] ?? 1
  printTable(
    Object.entries(medians).map(([what, time]) => ({
      what: what === 'node' ? 'bare start of node' : `loop ${what} (bar: 1.5)`,
      time: ms(time),
      ratio: (time / bare).toFixed(2),
    })),
  )
  others(bare, at)
  place.dispose()
}

/** How long the programs of agents take to print their version; only those that `scripts/agents` has installed. */
function others(bare: number, at: { cwd: string; env: NodeJS.ProcessEnv }): void {
  const { LOOP_AGENTS_DIR, XDG_CACHE_HOME, HOME } = process.env
  const bin = join(
    LOOP_AGENTS_DIR ?? join(XDG_CACHE_HOME ?? `${HOME}/.cache`, 'loop-agents'),
    'node_modules/.bin',
  )
  const present = ['claude', 'opencode', 'codex', 'gemini'].filter(name => existsSync(join(bin, name)))
  const programs = Object.fromEntries([
    ['loop', () => runOrThrow([loopProgram, '--version'], at)],
    ...present.map(name => [name, () => runOrThrow([join(bin, name), '--version'], at)]),
  ]) as Record<string, () => void>
  const medians = interleaved(5, programs)
  printTable(
    Object.entries(medians).map(([name, time]) => ({
      what: `${name} --version`,
      time: ms(time),
      ratio: (time / bare).toFixed(2),
    })),
  )
}

/** A store with ten thousand loops that have ended. */
export function fillStore({ env }: Pick<Place, 'env'>): void {
  const opened = openDatabase(pathsFrom(env))
  if (!opened.ok) throw new Error(failureWords(opened.failure))
  const store = storeOver(opened.value)
  const spec: Spec = {
    prompt: 'fix the failing tests of the shopping cart, then look at the linter',
    criteria: [{ name: 'npm test', command: 'npm test' }],
    cwd: '/tree',
    agent: 'custom',
    agentCmd: 'a',
    checkpoint: 'git',
    maxIterations: 10,
    budgetUsd: 25,
    timeoutMs: 1_000,
    verifyTimeoutMs: 1_000,
    graceMs: 0,
    backoffMs: 0,
    maxOutputBytes: 1,
    baseline: true,
  }
  // One transaction, so one wait for the disk instead of ten thousand.
  transaction(opened.value, () => {
    for (let i = 0; i < loops; i += 1) {
      const of = {
        after: 0,
        at: Date.now() - i,
        loop: i.toString(36).padStart(6, '0'),
        epoch: 1,
        cause: null,
      }
      const events = inEnvelopes<LoopKinds>(loopMachine, [creation(spec)], of)
      const done = {
        status: 'completed',
        reason: 'completed',
        holdsTree: false,
        endedAt: Date.now(),
      } as const
      store.journals.create({ events, summary: { ...summarize(fold(events)), ...done }, host: null })
    }
  })
  store.close()
}
