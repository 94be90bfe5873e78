/** `loop pause`: rest after this iteration. */
import { summarize } from '../../core/summary.ts'
import { ask } from '../../engine/ask.ts'
import { ok } from '../../model/failure.ts'
import { redactAll, secretsIn } from '../../views/redact.ts'
import { detailJson } from '../../views/status.ts'
import type { Run } from '../command.ts'
import { findLoop } from '../loops.ts'
import { out } from '../terminal.ts'
import { withWorld } from '../world.ts'

const pause: Run = input =>
  withWorld(input.env, async world => {
    const found = findLoop(world.store, input)
    if (!found.ok) return found
    const { id } = found.value
    const state = await ask(world, id, { kind: 'pause' })
    if (!state.ok) return state
    const summary = summarize(state.value)
    const when = summary.status === 'paused' ? 'is paused' : 'pauses after this iteration'
    if (input.given('json')) {
      const detail = detailJson({ summary, orphaned: false }, world.now())
      out(JSON.stringify(redactAll(detail, secretsIn(input.env))))
    } else out(`Loop ${id} ${when}. Go on with: loop resume ${id}`)
    return ok(0)
  })

export default pause
