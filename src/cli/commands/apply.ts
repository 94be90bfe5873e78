/** `loop apply`: applies the result of a group, or of one of its members, to the work tree. */
import { resultToApply } from '../../core/group/state.ts'
import { readState } from '../../engine/machine.ts'
import { fail } from '../../model/failure.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { pickFrom } from '../group/act.ts'

const apply: CommandRun = input =>
  withWorld(input.env, async world => {
    const found = loopToActOn(world.store, input)
    if (!found.ok) return found
    const { id, kind, group } = found.value
    if (group !== null) {
      const whole = world.store.heads.get(group)
      return whole.ok ? pickFrom(world, whole.value, { node: id, files: [], input }) : whole
    }
    if (kind !== 'group') {
      return fail('not-allowed', { kind: 'in-own-tree', id })
    }
    const state = readState(world.store, id, 'group')
    if (!state.ok) return state
    const node = resultToApply(state.value)
    if (node === null) {
      return fail('not-allowed', { kind: 'nobody-chosen', id })
    }
    return pickFrom(world, found.value, { node, files: [], input })
  })

export default apply
