/**
 * The tree that a verdict of a group is about: saved right after the commands that judged it, and compared with the
 * tree as it is later (core/programs/same-tree).
 */
import type { Checkpoints } from '../../../checkpoints/contract.ts'
import type { GroupStep } from '../../../core/group/decide.ts'
import type { GroupState } from '../../../core/group/state.ts'
import type { GroupEvent } from '../../../model/group/event.ts'
import type { World } from '../../world.ts'
import { fileName } from './copy.ts'
import type { GroupTask } from './steps.ts'

export function groupCheckpoints({ checkpoints }: World, { spec: { cwd } }: GroupState): Checkpoints {
  return checkpoints({ cwd, checkpoint: 'git' })
}

/** Empty if it cannot be saved: then the verdict counts only for as long as nobody interrupts. */
export async function treeLeft(
  node: string,
  { world, state, signal }: GroupTask,
): Promise<{ tree?: string }> {
  const name = `${fileName(node)}-verified`
  const taken = await groupCheckpoints(world, state).take({ loop: state.id, name, since: null, signal })
  return taken.ok && taken.value.tree !== null ? { tree: taken.value.tree } : {}
}

const compareMs = 600_000
const mostPaths = 20

/** Trees that cannot be compared (thrown away, unreadable) count as different: the commands tell. */
export async function compareTree(
  { compareWith: since }: Extract<GroupStep, { kind: 'compare' }>,
  { world, state, signal }: GroupTask,
): Promise<GroupEvent[]> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(compareMs)])
  const found = await groupCheckpoints(world, state).changedSince({ since, signal: until })
  if (signal.aborted) return []
  const { changes, changed } = found.ok ? found.value : { changes: null, changed: [] }
  const paths = changed.slice(0, mostPaths)
  return [{ kind: 'tree.compared', data: { changes, ...(paths.length > 0 && { paths }) } }]
}
