/** `loop pick`: brings an attempt of a group into the work tree, or one file of it. */
import { fail } from '../../model/failure.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { pickFrom } from '../group/act.ts'

const pick: CommandRun = input =>
  withWorld(input.env, async world => {
    const [name = '', node, ...more] = input.positionals
    if (node === undefined || more.length > 0) {
      return fail(
        'invalid-arguments',
        'Name a group and an attempt: loop pick a1b2c3 2. See: loop compare a1b2c3',
      )
    }
    const found = loopToActOn(world.store, { ...input, positionals: [name] })
    if (!found.ok) return found
    if (found.value.kind !== 'group') {
      return fail('not-allowed', `Loop ${found.value.id} is no group: its work is in its own tree.`)
    }
    return pickFrom(world, found.value, { node, files: input.values('file'), input })
  })

export default pick
