/** `loop resume`: takes over a loop or group without a host and continues it. */
import type { JournalKind, KindsOf } from '../../core/folds.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { type ByKind, byKind, type Summary } from '../../core/summary.ts'
import { ask, takeUp } from '../../engine/ask.ts'
import { keepEnvironment } from '../../engine/host.ts'
import { readState } from '../../engine/machine.ts'
import type { World } from '../../engine/world.ts'
import { invalid, ok, type Result } from '../../model/failure.ts'
import type { WorkflowSpec } from '../../model/group/workflow.ts'
import type { Resume } from '../../model/loop/command.ts'
import { givenLimits } from '../../options/limits.ts'
import { groupResumeFrom, noAgentFlags, resumeFrom } from '../../options/resume.ts'
import { changeFlags } from '../../options/table/command.ts'
import { doneWords } from '../../views/words/done.ts'
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
    return found.ok ? byKind(resumptions, found.value, world, input) : found
  })
}

const resumptions: ByKind<Promise<Result<number>>, [World, Input]> = {
  loop: resumeLoop,
  async group({ id }, world, input) {
    const command = await groupCommand(world, id, input)
    if (!command.ok) return command
    if (input.given('background'))
      return inBackground(world, { id, of: 'group' }, { command: command.value, input })
    const group = takeUp(world, { id, of: 'group' }, command.value)
    return group.ok ? (await import('../foreground/group.ts')).runGroup(group.value, input) : group
  },
  newer: resumeLoop,
}

async function resumeLoop(
  { id, session, pending }: Summary,
  world: World,
  input: Input,
): Promise<Result<number>> {
  const isBackground = input.given('background')
  if (session && isBackground) return invalid({ kind: 'session-not-background', id })
  if (!session && input.given('session')) return invalid({ kind: 'loop-not-session', id })
  const asked = loopCommand(world, id, input)
  if (!asked.ok) return asked
  const command = asked.value
  if (session) return resumeSession(world, id, { command, input })
  if (pending === 'pause') {
    const kept = await ask(world, id, command, { of: 'loop' })
    return kept.ok ? goesOn(world, input, kept.value.state) : kept
  }
  if (isBackground) return inBackground(world, { id, of: 'loop' }, { command, input })
  const view = foregroundView(input, world)
  const loop = takeUp(world, { id, of: 'loop' }, command)
  if (!loop.ok) {
    view.stop()
    return loop
  }
  view.join(loop.value.state)
  return runForeground(loop.value, view, input)
}

type Resumed<N extends JournalKind> = Extract<KindsOf[N]['command'], { kind: 'resume' }>

async function inBackground<N extends JournalKind>(
  world: World,
  { id, of }: { id: string; of: N },
  { command, input }: { command: Resumed<N>; input: Input },
): Promise<Result<number>> {
  const meant = mayHandOver(input.env)
  if (!meant.ok) return meant
  // From now on it runs in the environment of this request.
  const prepare = () => keepEnvironment(world.store.paths, id, input.env)
  const wish = { kind: 'enqueue', resume: command } as KindsOf[N]['command']
  const queued = await ask<N>(world, id, wish, { of, prepare })
  return queued.ok ? underDaemon(id, input, of) : queued
}

function goesOn(world: World, input: Input, state: State): Result<number> {
  printState(world, input, {
    summary: summarize(state),
    words: doneWords.goesOnUnpaused(state.id),
  })
  return ok(0)
}

function loopCommand(world: World, id: string, input: Input): Result<Resume> {
  const asked: Resume = { kind: 'resume', attended: isAttended(input) }
  if (!changeFlags.some(({ name }) => input.given(name))) return ok(asked)
  const loop = readState(world.store, id, 'loop')
  if (!loop.ok) return loop
  const changes = resumeFrom(input, systemHere(input), loop.value.spec)
  return changes.ok ? ok({ ...asked, ...changes.value }) : changes
}

async function groupCommand(world: World, id: string, input: Input): Promise<Result<Resumed<'group'>>> {
  const state = readState(world.store, id, 'group')
  if (!state.ok) return state
  const { workflow: started, options = {} } = state.value.spec
  const changed = async (workflow: WorkflowSpec) =>
    (await import('../workflow/reload.ts')).reloaded(id, { workflow, options }, input)
  const workflow = started ? await changed(started) : ok(null)
  if (!workflow.ok) return workflow
  const changes = groupResumeFrom(input)
  if (!changes.ok) return changes
  const asked: Resumed<'group'> = { kind: 'resume', attended: isAttended(input), ...changes.value }
  return ok({ ...asked, ...(workflow.value && { workflow: workflow.value }) })
}

export default resume
