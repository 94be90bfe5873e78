/** `loop pick`: applies an attempt of a group, or single files of it, to the work tree. */
import { fail } from '../../model/failure.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { pickFrom } from '../group/act.ts'

const pick: CommandRun = input =>
  withWorld(input.env, async world => {
    const [name = '', node, ...more] = input.positionals
    if (node === undefined || more.length > 0) {
      return fail('invalid-arguments', { kind: 'group-and-attempt' })
    }
    const found = loopToActOn(world.store, { ...input, positionals: [name] })
    if (!found.ok) return found
    if (found.value.kind !== 'group') {
      return fail('not-allowed', { kind: 'not-an-attempt', id: found.value.id })
    }
    return pickFrom(world, found.value, { node, files: input.values('file'), input })
  })

export default pick
