/** `loop apply`: brings the result of a group, or of one of its members, into the work tree. */
import { fail } from '../../model/failure.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { pickFrom } from '../group/act.ts'
import { readGroup } from '../group/open.ts'

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
      return fail('not-allowed', `Loop ${id} worked in its own tree: its result is there already.`)
    }
    const state = readGroup(world.store, id)
    if (!state.ok) return state
    const { nodes } = state.value
    const results = nodes.filter(
      ({ node, end }) => node.kind === 'loop' && end?.tree && end.how === 'completed',
    )
    const winner = nodes.findLast(({ end }) => end?.choice)?.end?.choice?.winner
    const node = winner ?? (results.length === 1 ? results[0]?.node.id : undefined)
    if (node === undefined) {
      return fail(
        'not-allowed',
        `Group ${id} has chosen nobody. See loop compare ${id}, then: loop pick ${id} <attempt>`,
      )
    }
    return pickFrom(world, found.value, { node, files: [], input })
  })

export default apply
