/** `loop resume`: takes over a loop that nobody hosts and drives it on. */
import type { State } from '../../core/loop/state.ts'
import { ask, takeUp } from '../../engine/ask.ts'
import { keepEnvironment } from '../../engine/host.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Command } from '../../model/loop/command.ts'
import { raisedLimits } from '../../options/limits.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { foregroundView, runForeground } from '../foreground/drive.ts'
import { isAttended } from '../foreground/question.ts'
import { underDaemon } from '../loopd/connect.ts'
import { printState } from '../print-state.ts'
import { ofSession, resumeSession, takeUnrecorded } from '../session/here.ts'

const resume: CommandRun = async typed => {
  const command = commandFrom(typed)
  if (!command.ok) return command
  if (typed.given('session') && takeUnrecorded(typed, command.value)) return ok(0)
  const meant = typed.given('session') ? ofSession(typed) : ok(typed)
  if (!meant.ok) return meant
  const input = meant.value
  return withWorld(input.env, async world => {
    const found = loopToActOn(world.store, input)
    if (!found.ok) return found
    if (found.value.session && input.given('background')) return inSession(found.value.id)
    if (found.value.session) return resumeSession(world, found.value.id, { command: command.value, input })
    const { id } = found.value
    if (found.value.pending === 'pause') {
      const kept = await ask(world, id, command.value)
      return kept.ok ? goesOn(world, input, kept.value.state) : kept
    }
    if (input.given('background')) return inBackground(world, id, { command: command.value, input })
    const view = foregroundView(input, world)
    const loop = takeUp(world, id, command.value)
    if (!loop.ok) {
      view.stop()
      return loop
    }
    view.join(loop.value.state)
    return runForeground(loop.value, view, input)
  })
}

async function inBackground(
  world: World,
  id: string,
  { command, input }: { command: Extract<Command, { kind: 'resume' }>; input: Input },
): Promise<Result<number>> {
  // From now on it runs in the environment it was asked for in.
  const prepare = () => keepEnvironment(world.store.paths, id, input.env)
  const queued = await ask(world, id, { kind: 'enqueue', resume: command }, { prepare })
  return queued.ok ? underDaemon(id, input) : queued
}

function goesOn(world: World, input: Input, state: State): Result<number> {
  printState(world, input, { state, words: `Loop ${state.id} goes on without a pause.` })
  return ok(0)
}

function inSession(id: string): Result<never> {
  return fail(
    'invalid-arguments',
    `The work of loop ${id} is done in a session, not under loopd. Leave -b out.`,
  )
}

function commandFrom(input: Input): Result<Extract<Command, { kind: 'resume' }>> {
  const raised = raisedLimits(input)
  return raised.ok ? ok({ kind: 'resume', attended: isAttended(input), ...raised.value }) : raised
}

export default resume
