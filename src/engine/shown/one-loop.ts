/** For what is asked of one loop: a group of one answers for it, of several one has to be named. */
import type { Summary } from '../../core/loop/summary.ts'
import { fail, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'

export function oneLoop(store: Store, found: Result<Summary>): Result<Summary> {
  if (!found.ok || found.value.kind !== 'group') return found
  const { id } = found.value
  const members = store.journals.inGroup(id)
  const [only] = members
  if (only !== undefined && members.length === 1) return store.heads.get(only)
  const names = members.length === 0 ? 'it has none yet' : members.join(', ')
  return fail(
    'invalid-arguments',
    `${id} is a group, and this is for one loop. Name one of its members: ${names}. See: loop status ${id}`,
  )
}
