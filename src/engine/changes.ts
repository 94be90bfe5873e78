/** What the work tree of a loop has changed since the loop began: for whoever tells a person how it ended. */
import { type Changed, treeOf } from '../core/loop/parts/tree.ts'
import type { State } from '../core/loop/state.ts'
import type { World } from './world.ts'

/** Nobody waits longer than this for a sum. */
const mostMs = 10_000

/** Null where the beginning was not saved, and where it cannot be told just now. */
export async function changesSinceBegin(world: World, { spec, tree }: State): Promise<Changed | null> {
  const since = treeOf(tree.checkpoints, 'initial')
  if (!since) return null
  const signal = AbortSignal.timeout(mostMs)
  const found = await world.checkpoints(spec).changedSince({ since, signal })
  return found.ok ? { changes: found.value.changes, paths: found.value.changed } : null
}
