/** The plan of an apply: its files, and the checks that must hold in the tree in addition to its promise. */
import { type GroupState, isKind } from '../../../core/group/state.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import { nodeOf } from './steps.ts'

/** The additional checks in the tree. */
export function checksBesides(state: GroupState, node: string): NonNullable<NodeOf<'apply'>['checks']> {
  const apply = nodeOf(state, node)
  return isKind(apply, 'apply') ? (apply.node.checks ?? []) : []
}

export function pickedFilesOf(state: GroupState, node: string): string[] | null {
  const apply = nodeOf(state, node)
  return isKind(apply, 'apply') ? (apply.node.files ?? null) : null
}
