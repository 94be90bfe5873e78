/** What a loop is asked over the API; what an agent asks for in its run is recorded as its own. */
import { fold } from '../../core/loop/evolve.ts'
import type { Wish as LoopWish } from '../../core/loop/machine.ts'
import { ask } from '../../engine/ask.ts'
import { savedTree } from '../../engine/garbage/discarded.ts'
import { readLoop } from '../../engine/host.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { resolveResume } from '../../options/request.ts'
import type { System } from '../../options/system.ts'
import { safeText } from '../../views/text/plain-text.ts'
import type { CommandAsked } from './to-group.ts'

type Place = { world: World; system: System }

export async function askLoop(place: Place, id: string, { body, run }: CommandAsked): Promise<Result<null>> {
  const { world } = place
  if (body.kind === 'rollback') {
    const gone = goneTarget(world, id, body.to)
    if (!gone.ok) return gone
  }
  const wish = wishOf(place, id, body)
  if (!wish.ok) return wish
  const asked = await ask(world, id, run ? ofAgent(wish.value) : wish.value)
  if (!asked.ok) return asked
  const failed = asked.value.events.find(event => event.kind === 'rollback.failed')
  if (failed) return fail('step-failed', `Loop ${id} is not rolled back: ${safeText(failed.data.why)}`)
  return ok(null)
}

/** A loop that is resumed goes back into the queue of the background. */
function wishOf({ world, system }: Place, id: string, body: CommandAsked['body']): Result<LoopWish> {
  if (body.kind === 'pick') return fail('not-allowed', `Loop ${id} is no group: there is nothing to pick.`)
  if (body.kind !== 'resume') return ok(body)
  const loop = readLoop(world, id)
  if (!loop.ok) return loop
  const resume = resolveResume(body, system, loop.value.spec)
  return resume.ok ? ok({ kind: 'enqueue', resume: resume.value }) : resume
}

function ofAgent(wish: LoopWish): LoopWish {
  return wish.kind === 'inject' || wish.kind === 'pause' ? { ...wish, by: 'agent' } : wish
}

/** Before anything is asked of the loop: a rollback to a checkpoint that was thrown away would only fail. */
function goneTarget({ store }: World, id: string, to: string): Result<unknown> {
  const events = store.journals.read(id)
  if (!events.ok) return events
  const saved = savedTree(store.paths, fold(events.value), { name: to })
  return saved.ok || saved.failure.reason !== 'checkpoint-gone' ? ok(null) : saved
}
