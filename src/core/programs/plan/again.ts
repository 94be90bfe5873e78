/**
 * What a plan that has failed does again when it is resumed: what it has failed by, and nothing that was finished. What
 * an earlier round has found stays what it was: the tree was another one then, and what a gate found in it must not be
 * mixed with what is found now.
 */
import type { PlanTask } from '../../../model/plan/task.ts'
import { find, type GroupState, isKind, isSettled, isWell } from '../../group/state.ts'

/** The ids of the nodes; `tasks` are those there are by now. */
export function failedBy(state: GroupState, tasks: readonly PlanTask[]): string[] {
  if (state.outcome?.kind !== 'failed') return []
  const { reason, why } = state.outcome
  switch (reason) {
    case 'node-failed':
      return tasksLeft(state, tasks)
    case 'gate-failed':
      return lastGate(state)
    case 'rejected':
      return refusedGate(state, why)
    default:
      return []
  }
}

/** Each with what brings it into the tree. */
function tasksLeft(state: GroupState, tasks: readonly PlanTask[]): string[] {
  const nodes = tasks.flatMap(({ id }) => [find(state, id) ?? [], find(state, `${id}/apply`) ?? []])
  return nodes.flat().flatMap(one => (isSettled(one) && !isWell(one) ? one.node.id : []))
}

/** All of it, also what was met: the tree may have changed since. */
function lastGate({ nodes }: GroupState): string[] {
  const checks = nodes.filter(one => isKind(one, 'command')).map(({ node }) => node.id)
  const last = checks.at(-1)?.replace(/[^/]*$/, '')
  return last === undefined ? [] : checks.filter(id => id.startsWith(last))
}

function refusedGate(state: GroupState, why: string): string[] {
  const named = find(state, why) ? [why] : []
  const confirmed = state.nodes.filter(
    one => isKind(one, 'gate') && one.node.asks === 'confirm' && !isWell(one),
  )
  return named.length > 0 ? named : confirmed.map(({ node }) => node.id)
}
