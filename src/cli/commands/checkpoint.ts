/**
 * `loop checkpoint`: saves the current work tree under a name, also while the agent works. It says "saved" only once
 * it is.
 */

import { ask } from '../../engine/ask.ts'
import { oneLoop } from '../../engine/shown/members.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import type { Event } from '../../model/loop/event.ts'
import { doneWords } from '../../views/words/done.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { outFor } from '../terminal.ts'

/** While the promise runs, a checkpoint waits. */
const takenMs = 60_000

const checkpoint: CommandRun = input =>
  withWorld(input.env, async world => {
    const [loop = '', name = null, ...more] = input.positionals
    if (more.length > 0) return invalid({ kind: 'one-checkpoint-name' })
    const found = oneLoop(world.store, loopToActOn(world.store, { ...input, positionals: [loop] }))
    if (!found.ok) return found
    const { id } = found.value
    const until = { done: (events: Event[]) => saved(events) !== undefined, ms: takenMs }
    const asked = await ask(world, id, { kind: 'checkpoint', name }, { of: 'loop', until })
    return asked.ok ? report(id, asked.value.events, input) : asked
  })

/** The event with the result. */
function saved(events: Event[]) {
  const name = events.find(event => event.kind === 'checkpoint.requested')?.data.name
  return events.find(
    event =>
      (event.kind === 'checkpoint.taken' || event.kind === 'checkpoint.failed') && event.data.name === name,
  )
}

function report(id: string, events: Event[], input: Input): Result<number> {
  const end = saved(events)
  if (end?.kind === 'checkpoint.failed') {
    return fail('step-failed', { kind: 'checkpoint-failed', id, name: end.data.name, why: end.data.why })
  }
  if (end?.kind !== 'checkpoint.taken') {
    return fail('host-silent', { kind: 'checkpoint-waits', id })
  }
  const { name, durationMs, skipped } = end.data
  outFor<'checkpoint'>(input, { id, name, skipped, durationMs }, doneWords.checkpoint(id, end.data))
  return ok(0)
}

export default checkpoint
