/** The next step of a rollback of a group: the tree as it is now is saved first, then the older one is brought back. */
import type { GroupStep } from './decide.ts'
import { checkpointOf, type GroupState } from './state.ts'

export function rollbackStep(
  state: GroupState,
  { to, tree, keepAs }: NonNullable<GroupState['rollback']>,
): GroupStep {
  const isKept = checkpointOf(state, keepAs) !== null
  return isKept ? { kind: 'restore', to, tree, keepAs } : { kind: 'save', name: keepAs, node: null }
}
