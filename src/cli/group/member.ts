/** A rollback of a group's member: checks whether it would change the user's tree. */
import { isActive } from '../../core/loop/summary.ts'
import type { Summary } from '../../core/summary.ts'
import { readState } from '../../engine/read-state.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Input } from '../command-table.ts'
import { outFor } from '../terminal.ts'

/** Null if the rollback may be done; otherwise the exit code, after the message that there is nothing to do. */
export function memberInTree(world: World, { id, group }: Summary, input: Input): Result<number | null> {
  const whole = group === null ? null : world.store.heads.get(group)
  // A hook of the group acts for the user while the group still holds the tree.
  const isByHook = input.env['LOOP_GROUP'] === group
  if (group !== null && whole?.ok && isActive(whole.value.status) && !isByHook) {
    return fail('not-allowed', { kind: 'member-of-active', id, group, status: whole.value.status })
  }
  const loop = readState(world.store, id, 'loop')
  if (!loop.ok) return loop
  const { copy } = loop.value.spec
  if (!copy) return ok(null)
  const words = `Loop ${id} worked in a copy of ${copy.tree}: nothing is rolled back there. To undo what its group applied: loop rollback ${group} initial`
  const of = group === null ? {} : { group }
  outFor<'rolledBack'>(input, { id, ...of, to: null, written: 0, deleted: 0, copy: true }, words)
  return ok(0)
}
