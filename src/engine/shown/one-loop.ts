/**
 * For requests about one loop: a group with one member stands for that member; in a group with several, one has to
 * be named.
 */
import type { Summary } from '../../core/loop/summary.ts'
import { fail, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'

/** Without questions to models, which nobody can steer. */
export function workingMembers(store: Store, group: string): string[] {
  return store.journals.inGroup(group).filter(id => {
    const head = store.heads.get(id)
    return !head.ok || head.value.answers === undefined
  })
}

export function oneLoop(store: Store, found: Result<Summary>): Result<Summary> {
  if (!found.ok || found.value.kind !== 'group') return found
  const { id } = found.value
  const members = workingMembers(store, id)
  const [only] = members
  if (only !== undefined && members.length === 1) return store.heads.get(only)
  return fail('invalid-arguments', { kind: 'group-for-loop', id, members })
}
