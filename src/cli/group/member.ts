/** A rollback of a member of a group: whether it is the tree of the user that it would change. */
import type { Summary } from '../../core/loop/summary.ts'
import { isActive } from '../../core/loop/summary.ts'
import { readLoop } from '../../engine/host.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { jsonText } from '../../views/text/plain-text.ts'
import type { Input } from '../command-table.ts'
import { out } from '../terminal.ts'

/** Null where the rollback may be done; else its exit code, after it was said that there is nothing to be done. */
export function memberInTree(world: World, { id, group }: Summary, input: Input): Result<number | null> {
  const whole = group === null ? null : world.store.heads.get(group)
  // A hook of the group acts for the user, while the group still holds the tree.
  const isByHook = input.env['LOOP_GROUP'] === group
  if (whole?.ok && isActive(whole.value.status) && !isByHook) {
    return fail(
      'not-allowed',
      `Loop ${id} is a member of group ${group}, which is ${whole.value.status}. Pause that first: loop pause ${group}`,
    )
  }
  const loop = readLoop(world, id)
  if (!loop.ok) return loop
  const { copy } = loop.value.spec
  if (!copy) return ok(null)
  const words = `Loop ${id} worked in a copy of ${copy.tree}: nothing of it is rolled back there. What its group brought in: loop rollback ${group} initial`
  out(input.given('json') ? jsonText({ id, group, written: 0, deleted: 0, copy: true }) : words)
  return ok(0)
}
