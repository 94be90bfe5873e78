/**
 * The shared parts of the cut tests: a separate store for each story, a world around it, and hosts that die where
 * they are told to. The store, the rules and the queue are the real ones.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Machines } from '../../src/engine/machine.ts'
import type { World } from '../../src/engine/world.ts'
import type { Store } from '../../src/store/contract.ts'
import { pathsFrom } from '../../src/store/files/paths.ts'
import { becomeHost } from '../../src/store/sqlite/lock.ts'
import { openStore } from '../../src/store/sqlite/open.ts'
import { worldIn } from './bare-world.ts'

const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'loop-cut-'))
after(() => rmSync(base, { recursive: true, force: true }))
let hosts = 0

/** After every event, and before it: then the step has been done, but nothing of it is recorded. */
export function cutsOf(length: number): string[] {
  const all = Array.from({ length }, (_, i) => i + 1)
  return [...all.slice(0, -1).map(n => `append:${n}`), ...all.slice(1).map(n => `append:${n}:before`)]
}

/** In the short form every second one, for a fixed plan beside random ones that are cut everywhere. */
export function someCuts(length: number, from: 0 | 1): string[] {
  return cutsOf(length).filter((_, i) => process.env['LOOP_LONG'] || i % 2 === from)
}

/** One story from its beginning, with a store that outlives its hosts. */
export async function story<T>(tell: (store: Store) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(base, 'run-'))
  const opened = openStore(pathsFrom({ XDG_DATA_HOME: dir }))
  assert.ok(opened.ok)
  try {
    return await tell(opened.value)
  } finally {
    opened.value.close()
    // Now: the long forms tell a hundred thousand stories, and the directory is in memory.
    rmSync(dir, { recursive: true })
  }
}

class Death extends Error {}

/** One host from birth to the end of its work, or to its death at the given point: then null. */
export async function hostLife<T>(
  store: Store,
  { cut, machines }: { cut: string | null; machines: Machines },
  work: (world: World) => Promise<T>,
): Promise<T | null> {
  hosts += 1
  const host = becomeHost(store, `host-${hosts}`)
  const fault = (point: string) => {
    if (point === cut) throw new Death()
  }
  try {
    return await work({ ...worldIn(store, { host, machines }), fault })
  } catch (error) {
    if (!(error instanceof Death)) throw error
    return null
  } finally {
    host.release()
  }
}
