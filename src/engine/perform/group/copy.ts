/** The working copies of a group: one for each attempt, in which its member works and shares nothing with the tree. */
import type { WorkCopies, WorkCopy } from '../../../adapters/workcopies/contract.ts'
import type { GroupStep } from '../../../core/group/decide.ts'
import { type Copy, checkpointOf, type GroupState } from '../../../core/group/state.ts'
import type { GroupEvent } from '../../../model/group/event.ts'
import type { World } from '../../world.ts'
import { type GroupTask, nodeFailed, nodeOf } from './steps.ts'

export function copiesOf({ copies }: World, { spec }: GroupState): WorkCopies {
  return copies(spec.cwd)
}

/** A name for files and refs. */
export function fileName(node: string): string {
  return node.replaceAll('/', '-')
}

/** Of the copy of a node, and of what is saved from it. */
export function nameOf(node: string, attempt: number): string {
  return `${fileName(node)}-${attempt}`
}

export async function makeCopy(
  { node, attempt }: Extract<GroupStep, { kind: 'copy' }>,
  { world, state, signal }: GroupTask,
): Promise<GroupEvent[]> {
  const planned = nodeOf(state, node).node
  const isFrozen = planned.kind === 'loop' && planned.base === 'initial'
  const base = isFrozen ? checkpointOf(state, 'initial') : null
  const began = performance.now()
  const pending = copiesOf(world, state).make({
    loop: state.id,
    name: nameOf(node, attempt),
    base,
    signal,
  })
  world.fault('copy')
  const made = await pending
  if (signal.aborted) return []
  if (!made.ok) return [nodeFailed(`copy for ${node}`, made.failure.message)]
  const durationMs = Math.round(performance.now() - began)
  return [{ kind: 'copy.made', data: { node, attempt, ...made.value, durationMs } }]
}

export async function freeCopy(
  { node }: Extract<GroupStep, { kind: 'free' }>,
  { world, state }: GroupTask,
): Promise<GroupEvent[]> {
  const { copy, attempt } = nodeOf(state, node)
  const copies = copiesOf(world, state)
  // Those of earlier attempts too; each may be half made.
  const names = Array.from({ length: attempt }, (_, i) => nameOf(node, i + 1))
  const paths = names.map(name => copies.pathOf({ loop: state.id, name }))
  for (const path of new Set([...(copy ? [copy.path] : []), ...paths])) {
    const freed = await copies.remove({ path, base: copy?.base ?? '', how: 'copy' })
    if (!freed.ok) return [nodeFailed(`removal of the copy of ${node}`, freed.failure.message)]
  }
  return [{ kind: 'copy.freed', data: { node } }]
}

/** As the adapter knows it. */
export function asCopy({ path, base, how }: Copy): WorkCopy {
  return { path, base, how: how as WorkCopy['how'] }
}
