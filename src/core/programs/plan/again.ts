/**
 * What a failed plan does again when it is resumed: the nodes that made it fail, and no finished ones. The findings of
 * earlier rounds stay as they are, because they are about an earlier state of the tree.
 */
import type { PlanTask } from '../../../model/plan/task.ts'
import { find, type GroupState, isKind, isSettled, isWell, type NodeState } from '../../group/state.ts'

/** The ids of the nodes to do again. `tasks`: all tasks of the plan so far. */
export function failedBy(state: GroupState, tasks: readonly PlanTask[]): string[] {
  if (state.outcome?.kind !== 'failed') return []
  const { reason, why } = state.outcome
  switch (reason) {
    case 'node-failed':
      return tasksLeft(state, tasks)
    case 'gate-failed':
      return lastGate(state)
    case 'holdout-failed':
      // Once the gate is passed again, the hold-out is run again by itself (final.ts).
      return find(state, 'holdout') && lastGate(state).length === 0 ? ['holdout'] : lastGate(state)
    case 'rejected':
      return refusedGate(state, why)
    default:
      return []
  }
}

/** The unfinished tasks, each with the node that applies its result to the tree. */
function tasksLeft(state: GroupState, tasks: readonly PlanTask[]): string[] {
  const nodes = tasks.flatMap(({ id }) => [find(state, id) ?? [], find(state, `${id}/apply`) ?? []])
  return nodes.flat().flatMap(one => (isSettled(one) && !isWell(one) ? one.node.id : []))
}

/** All checks of the last gate, also those that passed: the tree may have changed since. */
function lastGate({ nodes }: GroupState): string[] {
  const checks = nodes.filter(isGateCheck).map(({ node }) => node.id)
  const last = checks.at(-1)?.replace(/[^/]*$/, '')
  return last === undefined ? [] : checks.filter(id => id.startsWith(last))
}

/** A check of a gate, of any round. Its second look is none: it is taken again by itself after them (final.ts). */
export function isGateCheck(one: NodeState): boolean {
  return isKind(one, 'command') && one.node.purpose === 'measure' && one.node.id.startsWith('gate/')
}

function refusedGate(state: GroupState, why: string): string[] {
  const named = find(state, why) ? [why] : []
  const confirmed = state.nodes.filter(
    one => isKind(one, 'gate') && one.node.asks === 'confirm' && !isWell(one),
  )
  return named.length > 0 ? named : confirmed.map(({ node }) => node.id)
}
