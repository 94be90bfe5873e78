/** `loop resume`: takes over a loop that nobody hosts and drives it on. */
import { admit } from '../../core/admit.ts'
import { commit, type Driven } from '../../engine/drive.ts'
import { hostLoop, leaveLoop, otherActiveIn } from '../../engine/host.ts'
import type { World } from '../../engine/world.ts'
import type { Command } from '../../model/command.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { refused } from '../ask.ts'
import type { Input, Run } from '../command.ts'
import { foregroundView, runForeground } from '../foreground.ts'
import type { Live } from '../live.ts'
import { findLoop } from '../loops.ts'
import { budgetFrom, iterationsFrom } from '../spec.ts'
import { withWorld } from '../world.ts'

const resume: Run = input => {
  const command = commandFrom(input)
  if (!command.ok) return Promise.resolve(command)
  return withWorld(input.env, async world => {
    const found = findLoop(world.store, input)
    if (!found.ok) return found
    const view = foregroundView(input, world)
    const loop = takeUp(world, found.value.id, { command: command.value, view })
    if (loop.ok) return runForeground(loop.value, view, input)
    view.stop()
    return loop
  })
}

function takeUp(world: World, id: string, wish: { command: Command; view: Live }): Result<Driven> {
  const hosted = hostLoop(world, id, wish.view.tell)
  if (!hosted.ok) return hosted
  if ('hostedBy' in hosted.value) return driven(id, hosted.value.hostedBy)
  const loop = hosted.value.driven
  const free = otherActiveIn(world, loop.state.spec.cwd, id)
  const admission = admit(loop.state, wish.command)
  if (free.ok && admission.ok) {
    commit(loop, admission.events, null)
    wish.view.join(loop.state)
    return ok(loop)
  }
  leaveLoop(loop)
  if (!free.ok) return free
  return refused(id, 'resume', admission.ok ? '' : admission.why)
}

function commandFrom(input: Input): Result<Extract<Command, { kind: 'resume' }>> {
  const command: Extract<Command, { kind: 'resume' }> = { kind: 'resume' }
  if (input.given('max-iterations')) {
    const limit = iterationsFrom(input)
    if (!limit.ok) return limit
    command.maxIterations = limit.value
  }
  if (input.given('budget')) {
    const budget = budgetFrom(input)
    if (!budget.ok) return budget
    command.budgetUsd = budget.value
  }
  return ok(command)
}

function driven(id: string, by: string): Result<never> {
  const pid = by.split('-')[0]
  return fail(
    'already-driven',
    `Loop ${id} is already driven by process ${pid}. Watch it with: loop logs ${id} -f. Stop it with: loop cancel ${id}`,
  )
}

export default resume
