/**
 * Hosts one twin (test/rig/twin-machine) from its beginning, or from where another host left it. As a program:
 * `node twin-host.ts <directory>` drives it to its rest with a store of its own there, and dies where $LOOP_FAULT says.
 */

import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from '../../src/core/loop/decide.ts'
import type { LoopKinds } from '../../src/core/loop/machine.ts'
import { drive } from '../../src/engine/drive.ts'
import { faultFrom } from '../../src/engine/fault.ts'
import { createJournal, hostJournal, leaveJournal } from '../../src/engine/host.ts'
import type { Machines, StepTask } from '../../src/engine/machine.ts'
import type { World } from '../../src/engine/world.ts'
import { failureWords } from '../../src/failures/words.ts'
import type { Event } from '../../src/model/loop/event.ts'
import { verifiedName } from '../../src/model/units.ts'
import { pathsFrom } from '../../src/store/files/paths.ts'
import { becomeHost } from '../../src/store/sqlite/lock.ts'
import { openStore } from '../../src/store/sqlite/open.ts'
import { worldIn } from './bare-world.ts'
import {
  aSpec,
  cleared,
  compared,
  ended,
  launched,
  pass,
  simulated,
  started,
  taken,
  verified,
} from './given.ts'
import { twinMachine } from './twin-machine.ts'
import { runningTwin, twinFolds } from './twin-steps.ts'

export const twinId = 'twin01'
const cwd = '/tree'
const spec = aSpec({ cwd, backoffMs: 0 })

/** The member passes in its second iteration; whatever its agent does leaves a mark for each run. */
export function twinMachines(dir: string): Machines {
  return {
    ...simulated({ perform: async (step, task) => performed(step, task, dir) }),
    twin: runningTwin({ dir, spec }),
  }
}

function performed(step: Step, { state }: StepTask<LoopKinds>, dir: string): Event[] {
  const { runs, iteration, run } = state.work
  switch (step.kind) {
    case 'verify':
      if (step.iteration < 2) return [verified(step.iteration, {})]
      return [taken(verifiedName(step.iteration)), verified(step.iteration, pass)]
    case 'checkpoint':
      return [taken(step.name)]
    case 'prepare':
      return [started(step.run, step.iteration)]
    case 'attach':
      if (run?.identity) return [ended(runs)]
      mark(join(dir, `run-${runs}`))
      return [launched(runs)]
    case 'stop':
      return [ended(runs, { how: 'stopped' })]
    case 'clear':
      return [cleared(runs)]
    case 'restore':
      throw new Error(`Nobody asked for a rollback in iteration ${iteration}`)
    case 'compare':
      return [compared(step.iteration)]
    case 'look':
    case 'holdout':
      throw new Error('Nothing steers the promise')
    case 'hook-start':
    case 'hook':
    case 'hook-stop':
      throw new Error('Nobody asked for a hook')
    default:
      return step satisfies never
  }
}

/** Of what was launched already only that is learned. */
function mark(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'wx'))
}

/** Creates the twin unless it is there. */
export function beginTwin(world: World): void {
  const events = [{ kind: 'twin.created' as const, data: { cwd } }]
  const created = createJournal(twinMachine, world, { id: twinId, events, host: null })
  if (!created.ok) throw new Error(failureWords(created.failure))
  if (created.value) world.fault('append:1')
}

async function main(dir: string): Promise<void> {
  const store = openStore(pathsFrom({ XDG_DATA_HOME: dir }), twinFolds)
  if (!store.ok) throw new Error(failureWords(store.failure))
  const host = becomeHost(store.value, `${process.pid}-${randomUUID()}`)
  const world = {
    ...worldIn(store.value, { host, machines: twinMachines(dir) }),
    fault: faultFrom(process.env),
  }
  beginTwin(world)
  const hosted = hostJournal(world, twinId)
  if (!hosted.ok || 'hostedBy' in hosted.value) throw new Error('Another process hosts the twin')
  await drive(hosted.value.driven, new AbortController().signal)
  leaveJournal(hosted.value.driven)
  host.release()
  store.value.close()
}

if (import.meta.main) await main(process.argv[2] ?? '')
