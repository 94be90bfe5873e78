/**
 * The plan of an apply: the checks that must hold in the tree in addition to its promise, and the files that a person
 * has picked, with those of them that cannot be applied.
 */
import type { WorkCopies } from '../../../adapters/workcopies/contract.ts'
import { type GroupState, isKind } from '../../../core/group/state.ts'
import { allOf, ok, type Result } from '../../../model/failure.ts'
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

type Trees = { base: string; ours: string; theirs: string; from: string }

/** Files that the attempt did not change, and files that somebody has changed differently since. */
export async function unfitFiles(
  files: string[],
  { base, ours, theirs, from }: Trees,
  { tree }: Pick<WorkCopies, 'tree'>,
): Promise<Result<{ unknown: string[]; conflicts: string[] }>> {
  const found = allOf({
    theirs: await tree.changed({ from, to: theirs }),
    mine: await tree.changed({ from: base, to: ours }),
    differ: await tree.changed({ from: ours, to: theirs }),
  })
  if (!found.ok) return found
  const { mine, differ } = found.value
  return ok({
    unknown: files.filter(file => !found.value.theirs.includes(file)),
    conflicts: files.filter(file => mine.includes(file) && differ.includes(file)),
  })
}
