/** Taking up a loop that nobody hosts, to drive it: for `resume`, and for going on after a limit. */
import { admit } from '../../core/loop/admit.ts'
import { refused } from '../../engine/ask.ts'
import { commit, type Driven } from '../../engine/drive.ts'
import { hostLoop, leaveLoop } from '../../engine/host.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Command } from '../../model/loop/command.ts'

export function takeUp(
  world: World,
  id: string,
  wish: { command: Extract<Command, { kind: 'resume' }>; tell: Driven['tell'] },
): Result<Driven> {
  const hosted = hostLoop(world, id, wish.tell)
  if (!hosted.ok) return hosted
  if ('hostedBy' in hosted.value) return driven(id, hosted.value.hostedBy)
  const loop = hosted.value.driven
  const admission = admit(loop.state, wish.command)
  const taken = admission.ok ? commit(loop, admission.events, null) : refused(id, 'resume', admission.why)
  if (taken.ok) return ok(loop)
  leaveLoop(loop)
  return taken
}

function driven(id: string, by: string): Result<never> {
  const pid = by.split('-')[0]
  return fail(
    'already-driven',
    `Loop ${id} is already driven by process ${pid}. Watch it with: loop logs ${id} -f. Stop it with: loop cancel ${id}`,
  )
}
