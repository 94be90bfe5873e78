/**
 * Lets the time of a run be up now, instead of waiting for a timeout that is long enough for a busy machine: the note
 * and the signals of the shim's own timer, which test/unit/adapters/process/run tries for real.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { identify, readExit } from '../../src/adapters/process/files.ts'
import type { Rig } from '../rig/rig.ts'

/** A timeout that no run of a test reaches by itself. */
export const neverUp = ['--timeout', '30m']

/** The default `--grace`: who has not ended by then is killed. cline never listens. */
const graceMs = 5_000

export async function timeIsUp(rig: Rig, id: string, run: number): Promise<void> {
  const dir = join(rig.dir(id), `runs/${run}`)
  const shim = identify(dir)?.inner
  if (!shim) throw new Error(`run ${run} of loop ${id} has no process`)
  const children = readFileSync(`/proc/${shim.pid}/task/${shim.pid}/children`, 'utf8').trim().split(' ')
  writeFileSync(join(dir, 'timeout'), '')
  process.kill(shim.pid, 'SIGTERM')
  const killed = performance.now() + graceMs
  while (performance.now() < killed && !readExit(dir)) await delay(20)
  if (!readExit(dir)) process.kill(-Number(children[0]), 'SIGKILL')
}
