/**
 * The plan of an apply: whose result it is, the checks that must hold in the tree in addition to its promise, and the
 * files that a person has picked, with those of them that cannot be applied.
 */
import type { WorkCopies } from '../../../adapters/workcopies/contract.ts'
import type { Merged } from '../../../checkpoints/contract.ts'
import { appliedNode, type GroupState, isKind, type NodeState } from '../../../core/group/state.ts'
import { allOf, ok, type Result } from '../../../model/failure.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import type { ConflictWay } from '../../../model/group/words.ts'
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

export function conflictWayOf(state: GroupState, node: string): ConflictWay | null {
  const apply = nodeOf(state, node)
  return isKind(apply, 'apply') ? (apply.node.resolve ?? null) : null
}

/** `isThere`: the result is in the tree already, and only its promise is run again. */
type Source = { source: NodeState; applying: NodeState['applying']; isThere: boolean }

export function appliedFrom(state: GroupState, node: string): Source {
  const apply = nodeOf(state, node)
  if (!isKind(apply, 'apply')) throw new Error(`Internal error: ${node} is no apply`)
  const source = appliedNode(state, apply.node)
  if (!source) throw new Error(`Internal error: nothing was chosen for ${node}`)
  const isThere = apply.reopened.at(-1)?.facts?.kind === 'tree-edited'
  return { source, applying: apply.applying, isThere }
}

type Sides = { base: string; ours: string; theirs: string }
type Came = { tree: string | null; conflicts: string[] }

/** A file that is taken whole can uncover another conflict, such as the files of a directory that it replaces. */
const mostPasses = 5

/**
 * Settles conflicts as you asked: the conflicting files of one side are made those of the other, and the rest is
 * merged. Files that cannot have conflict markers stay a conflict, by name.
 */
export async function resolved(
  way: ConflictWay | null,
  { request, merged }: { request: Sides; merged: Merged },
  copies: Pick<WorkCopies, 'tree' | 'merge'>,
): Promise<Result<Came>> {
  const { id, conflicts, marked = null, unmarkable = conflicts } = merged
  if (id !== null || way === null) return ok({ tree: id, conflicts })
  if (way === 'merge') return ok(marked ? { tree: marked, conflicts } : { tree: null, conflicts: unmarkable })
  const [changed, source] = way === 'mine' ? (['theirs', 'ours'] as const) : (['ours', 'theirs'] as const)
  let sides = request
  let left = conflicts
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const alike = await copies.tree.withFiles({ into: sides[changed], from: sides[source], files: left })
    if (!alike.ok) return alike
    sides = { ...sides, [changed]: alike.value }
    const again = await copies.merge(sides)
    if (!again.ok) return again
    if (again.value.id !== null) return ok({ tree: again.value.id, conflicts: [] })
    left = again.value.conflicts
  }
  return ok({ tree: null, conflicts: left })
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
