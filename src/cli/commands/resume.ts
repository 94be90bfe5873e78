/** `loop resume`: takes over a loop without a host and continues it. */
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { ask, takeUp } from '../../engine/ask.ts'
import { keepEnvironment } from '../../engine/host.ts'
import { readState } from '../../engine/machine.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Resume } from '../../model/loop/command.ts'
import { givenLimits } from '../../options/limits.ts'
import { noAgentFlags, resumeFrom } from '../../options/resume.ts'
import { changeFlags } from '../../options/table/command.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { foregroundView, runForeground } from '../foreground/drive.ts'
import { isAttended } from '../foreground/question.ts'
import { mayHandOver, underDaemon } from '../loopd/connect.ts'
import { printState } from '../print-state.ts'
import { ofSession, resumeSession, takeUnrecorded } from '../session/here.ts'
import { systemHere } from '../system.ts'

const resume: CommandRun = async typed => {
  const limits = givenLimits(typed)
  if (!limits.ok) return limits
  const sound = typed.given('session') ? noAgentFlags(typed) : ok(null)
  if (!sound.ok) return sound
  if (typed.given('session') && takeUnrecorded(typed, limits.value)) return ok(0)
  const meant = typed.given('session') ? ofSession(typed) : ok(typed)
  if (!meant.ok) return meant
  const input = meant.value
  return withWorld(input.env, async world => {
    const found = loopToActOn(world.store, input)
    if (!found.ok) return found
    if (found.value.kind === 'group') {
      const { resumeGroup } = await import('../group/act.ts')
      return resumeGroup(world, found.value, input)
    }
    if (found.value.session && input.given('background')) return inSession(found.value.id)
    if (!found.value.session && input.given('session')) return notInSession(found.value.id)
    const command = commandFor(world, found.value.id, input)
    if (!command.ok) return command
    if (found.value.session) return resumeSession(world, found.value.id, { command: command.value, input })
    const { id } = found.value
    if (found.value.pending === 'pause') {
      const kept = await ask(world, id, command.value, { of: 'loop' })
      return kept.ok ? goesOn(world, input, kept.value.state) : kept
    }
    if (input.given('background')) return inBackground(world, id, { command: command.value, input })
    const view = foregroundView(input, world)
    const loop = takeUp(world, { id, of: 'loop' }, command.value)
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
  { command, input }: { command: Resume; input: Input },
): Promise<Result<number>> {
  const meant = mayHandOver(input.env)
  if (!meant.ok) return meant
  // From now on it runs in the environment of this request.
  const prepare = () => keepEnvironment(world.store.paths, id, input.env)
  const queued = await ask(world, id, { kind: 'enqueue', resume: command }, { of: 'loop', prepare })
  return queued.ok ? underDaemon(id, input) : queued
}

function goesOn(world: World, input: Input, state: State): Result<number> {
  printState(world, input, {
    summary: summarize(state),
    words: `Loop ${state.id} goes on without a pause.`,
  })
  return ok(0)
}

function inSession(id: string): Result<never> {
  return fail('invalid-arguments', { kind: 'session-not-background', id })
}

function notInSession(id: string): Result<never> {
  return fail('invalid-arguments', { kind: 'loop-not-session', id })
}

function commandFor(world: World, id: string, input: Input): Result<Resume> {
  const asked: Resume = { kind: 'resume', attended: isAttended(input) }
  if (!changeFlags.some(({ name }) => input.given(name))) return ok(asked)
  const loop = readState(world.store, id, 'loop')
  if (!loop.ok) return loop
  const changes = resumeFrom(input, systemHere(input), loop.value.spec)
  return changes.ok ? ok({ ...asked, ...changes.value }) : changes
}

export default resume
