/** What a loop has changed in its work tree since its start, for the summary at its end. */
import { type Changed, treeOf } from '../core/loop/parts/tree.ts'
import type { State } from '../core/loop/state.ts'
import type { World } from './world.ts'

/** The upper limit on the time to compute the sum. */
const mostMs = 10_000

/** Null if the initial tree was not saved, or the comparison fails. */
export async function changesSinceBegin(world: World, { spec, tree }: State): Promise<Changed | null> {
  const since = treeOf(tree.checkpoints, 'initial')
  if (!since) return null
  const signal = AbortSignal.timeout(mostMs)
  const found = await world.checkpoints(spec).changedSince({ since, signal })
  return found.ok ? { changes: found.value.changes, paths: found.value.changed } : null
}
