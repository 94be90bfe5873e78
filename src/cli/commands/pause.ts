/** `loop pause`: rest after this iteration; of a group, after those of its loops. */
import { type JournalKind, type KindsOf, meantKind } from '../../core/folds.ts'
import { ask } from '../../engine/ask.ts'
import { ok } from '../../model/failure.ts'
import { actedFaces } from '../../views/faces/acted.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { printState } from '../print-state.ts'
import { byAgent } from '../run-here.ts'

const pause: CommandRun = input =>
  withWorld(input.env, async world => {
    const found = loopToActOn(world.store, input)
    if (!found.ok) return found
    const of = meantKind(found.value)
    const asked = await ask(world, found.value.id, wishes[of](input.env), { of })
    if (!asked.ok) return asked
    const { machine, state } = asked.value
    const summary = machine.summarize(state)
    printState(world, input, { summary, words: actedFaces[of].paused(summary as never) })
    return ok(0)
  })

/** A group does not record who asks. */
const wishes: { [N in JournalKind]: (env: NodeJS.ProcessEnv) => KindsOf[N]['command'] } = {
  loop: env => ({ kind: 'pause', ...byAgent(env) }),
  group: () => ({ kind: 'pause' }),
}

export default pause
