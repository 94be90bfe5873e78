/** `loop pause`: rest after this iteration. */
import { summarize } from '../../core/loop/summary.ts'
import { ask } from '../../engine/ask.ts'
import { ok } from '../../model/failure.ts'
import { resumeWords } from '../../views/words/reasons.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { printState } from '../print-state.ts'
import { byAgent } from '../who/asked-by.ts'

const pause: CommandRun = input =>
  withWorld(input.env, async world => {
    const found = loopToActOn(world.store, input)
    if (!found.ok) return found
    if (found.value.kind === 'group') {
      const { pauseGroup } = await import('../group/act.ts')
      return pauseGroup(world, found.value, input)
    }
    const { id } = found.value
    const asked = await ask(world, id, { kind: 'pause', ...byAgent(input.env) }, { of: 'loop' })
    if (!asked.ok) return asked
    const { state } = asked.value
    const summary = summarize(state)
    const isPaused = summary.status === 'paused'
    const when = isPaused ? 'is paused' : 'pauses after this iteration'
    printState(world, input, {
      state,
      words: `Loop ${id} ${when}. Go on with: ${resumeWords(summary)}`,
    })
    return ok(0)
  })

export default pause
