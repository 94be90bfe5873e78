/** Start-up: `loop --help` and `loop status` with 10 000 finished loops, against a bare start of the same Node. */
import { begin } from '../src/core/loop/evolve.ts'
import { summarize } from '../src/core/loop/summary.ts'
import type { Recorded } from '../src/model/loop/event.ts'
import type { Spec } from '../src/model/loop/spec.ts'
import { pathsFrom } from '../src/store/files/paths.ts'
import { writeEntry } from '../src/store/sqlite/append.ts'
import { closeStore, openStore, transaction } from '../src/store/sqlite/database.ts'
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
  })
  const bare = medians['node'] ?? 1
  printTable(
    Object.entries(medians).map(([what, time]) => ({
      what: what === 'node' ? 'bare start of node' : `loop ${what} (bar: 1.5)`,
      time: ms(time),
      ratio: (time / bare).toFixed(2),
    })),
  )
  place.dispose()
}

/** A store with ten thousand loops that have ended. */
export function fillStore({ env }: Pick<Place, 'env'>): void {
  const opened = openStore(pathsFrom(env))
  if (!opened.ok) throw new Error(opened.failure.message)
  const store = opened.value
  const spec: Spec = {
    prompt: 'x',
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
  transaction(store, () => {
    for (let i = 0; i < loops; i += 1) {
      const loop = i.toString(36).padStart(6, '0')
      writeEntry(store, {
        loop,
        epoch: 1,
        after: 0,
        at: Date.now() - i,
        events: [{ kind: 'loop.created', data: { spec } }],
        cause: null,
        summarize: ([event]) => ({
          ...summarize(begin(event as Recorded)),
          status: 'completed',
          reason: 'completed',
          holdsTree: false,
          endedAt: Date.now(),
        }),
      })
    }
  })
  closeStore(store)
}
