/** `loop apply`: applies the result of a group, or of one of its members, to the work tree. */
import { resultToApply } from '../../core/group/state.ts'
import { type ByKind, byKind, type Summary } from '../../core/summary.ts'
import { readState } from '../../engine/machine.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { pickFrom } from './pick.ts'

const apply: CommandRun = input =>
  withWorld(input.env, async world => {
    const found = loopToActOn(world.store, input)
    if (!found.ok) return found
    const result = byKind(results, found.value, world.store)
    if (!result.ok) return result
    const { group, node } = result.value
    return pickFrom(world, group, { node, files: [], input })
  })

type ResultOf = ByKind<Result<{ group: Summary; node: string }>, [Store]>

const results: ResultOf = {
  loop: ofMember,
  group(group, store) {
    const state = readState(store, group.id, 'group')
    if (!state.ok) return state
    const node = resultToApply(state.value)
    return node === null ? fail('not-allowed', { kind: 'nobody-chosen', id: group.id }) : ok({ group, node })
  },
  newer: ofMember,
}

function ofMember({ id, group }: Summary, store: Store): ReturnType<ResultOf['loop']> {
  if (group === null) return fail('not-allowed', { kind: 'in-own-tree', id })
  const whole = store.heads.get(group)
  return whole.ok ? ok({ group: whole.value, node: id }) : whole
}

export default apply
