/**
 * Bringing the result of a copy into the tree, in stages that are recorded one by one: which comes next, and what the
 * apply came to. Each stage finds what the one before has left, also half-way.
 *
 *   save ─▶ merge ─▶ write ─▶ check ─▶ completed
 *             └▶ conflict       └▶ undo ─▶ failed
 */
import type { Facts } from '../../failures/all.ts'
import type { GroupEvent, NodeEnd } from '../../model/group/event.ts'
import type { GroupNode } from '../../model/group/node.ts'
import type { GroupStep, Halt, NodeAttempt } from './decide.ts'
import { type GroupState, isKind, type NodeState } from './state.ts'

/**
 * Applies that are over, also while the group rests or ends: a result that has been verified in the tree stays
 * there.
 */
export function applyOver({ nodes }: GroupState): GroupEvent | null {
  const [first] = nodes.flatMap(one =>
    isKind(one, 'apply') && one.stage === 'started' && !one.isStuck ? (applyEnd(one) ?? []) : [],
  )
  return first ?? null
}

/** The end of an apply: the tree has been checked, or has been restored. */
function applyEnd({ node, attempt, applying }: NodeState): GroupEvent | null {
  const { merged, results, isUndone } = applying
  const ended = (how: 'completed' | 'failed' | 'conflict' | 'cancelled', facts?: Facts) =>
    ({
      kind: 'node.ended',
      data: {
        node: node.id,
        attempt,
        how,
        ...(facts && { facts }),
        ...(how === 'conflict' && { conflicts: merged?.conflicts ?? [] }),
      },
    }) satisfies GroupEvent
  if (merged && merged.tree === null) return ended('conflict')
  if (isUndone) return results ? ended('failed', { kind: 'promise-fails-in-tree' }) : ended('cancelled')
  if (!holds(results)) return null
  const { conflicts = [] } = merged ?? {}
  if (conflicts.length > 0) return ended('completed', { kind: 'markers-left', files: conflicts })
  return tookNothing(node, applying) ? ended('completed', { kind: 'nothing-taken' }) : ended('completed')
}

/** You kept your version of every file that the result has changed. */
export function tookNothing(node: GroupNode, { saved, merged }: NodeState['applying']): boolean {
  return node.kind === 'apply' && node.resolve === 'mine' && saved !== null && merged?.tree === saved
}

function holds(results: NodeState['applying']['results']): boolean {
  return results?.every(({ verdict }) => verdict === 'PASS') ?? false
}

/**
 * The next step of an apply. If the group is about to end, a half-written tree is completed first, and a result
 * whose promise has not run yet is taken back.
 */
export function applySteps({ applying }: NodeState, of: NodeAttempt, wish: Halt): GroupStep[] {
  const { saved, merged, isApplied, results } = applying
  if (merged === null && wish === 'end') return []
  if (saved === null) return [{ kind: 'save', name: `before-${of.node}-${of.attempt}`, node: of.node }]
  if (merged === null) return [{ kind: 'merge', ...of }]
  if (!isApplied) return [{ kind: 'write', ...of }]
  return [{ kind: results === null && wish !== 'end' ? 'check' : 'undo', ...of }]
}

/** Why the last pick of a person could not be brought in: what both sides have changed. */
export function conflictFacts({ id, picks }: GroupState, { conflicts = [] }: NodeEnd): Facts {
  const { node = '', files, resolve } = picks.at(-1) ?? {}
  if (resolve === 'merge' && !files) return { kind: 'pick-unmarkable', id, conflicts }
  return { kind: 'pick-conflict', id, node, conflicts, isPart: files !== undefined }
}
