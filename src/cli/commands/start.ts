/** `loop start`: resolves the command line, creates the loop, drives it to its end. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { creation } from '../../core/loop/assess/assess.ts'
import { begin } from '../../core/loop/evolve.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { createLoop, queueLoop } from '../../engine/host.ts'
import { exitCodeOf, invalid, ok, type Result } from '../../model/failure.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { eventVersion } from '../../model/version.ts'
import { groupFrom } from '../../options/best-of.ts'
import { inBackground, resolveStart, type StartWish } from '../../options/resolve.ts'
import { commonFlags } from '../../options/table/command.ts'
import { groupFlags } from '../../options/table/group.ts'
import { startFlags } from '../../options/table/start.ts'
import { startTemplateFlags } from '../../options/table/workflow.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { groupPlan, plan, stateHint, stateWords } from '../../views/text/plan.ts'
import { nothingRunWords } from '../../views/words/done.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { configured, origins } from '../config.ts'
import { foregroundView, runForeground } from '../foreground/drive.ts'
import { askedStart, isUnsaid } from '../foreground/start-questions.ts'
import { mayHandOver, underDaemon } from '../loopd/connect.ts'
import { systemHere } from '../system.ts'
import { notice, out, outFor } from '../terminal.ts'

const start: CommandRun = async said => {
  const isAsked = isUnsaid(said) && !said.given('template')
  const answered = isAsked ? await askedStart(said, allFlags, systemHere(said)) : ok(said)
  if (!answered.ok) return answered
  const typed = answered.value
  // Leaving the questions cancels the start.
  if (typed === null) return ok(exitCodeOf('cancelled'))
  const template = typed.value('template')
  if (template !== null) return (await import('../workflow/start-template.ts')).startTemplate(template, typed)
  if (typed.values('set').length > 0) return invalid({ kind: 'set-without-template' })
  const system = systemHere(typed)
  const read = await configured(typed, system)
  if (!read.ok) return read
  const input = read.value
  if (isPlanned(input)) return (await import('../plan/start-plan.ts')).startPlan(input, system)
  const [prompt, ...rest] = input.positionals
  if (rest.length > 0) return invalid({ kind: 'prompt-in-pieces', rest })
  const resolved = resolveStart({ prompt, values: input }, system)
  if (!resolved.ok) return resolved
  const wish = resolved.value
  sayShape(wish.spec, input)
  const sound = await soundScript(wish.spec)
  if (!sound.ok) return sound
  const group = groupFrom(input, wish.spec, {
    parallel: await mostAtOnce(input),
    system,
  })
  if (!group.ok) return group
  if (input.given('dry-run')) return dryRun(wish.spec, group.value, input)
  if (group.value) return startsGroup(group.value, wish, input)
  if (input.given('session')) return (await import('../session/start-session.ts')).startSession(wish, input)
  if (input.given('background')) return startInBackground(wish, input)
  return startLoop({ ...wish, spec: { ...wish.spec, deleteState: wish.state === 'delete' } }, input)
}

const allFlags = [...startFlags, ...startTemplateFlags, ...commonFlags]

/** Nothing decides when the work is done: a plan finds that out first. */
function isPlanned(input: Input): boolean {
  const own = ['promise', 'confirm', 'session', ...groupFlags.map(({ name }) => name)]
  return input.positionals.length === 1 && !own.some(name => input.given(name))
}

/** Read only if several loops could run at once: it loads YAML. */
async function mostAtOnce(input: Input): Promise<number | null> {
  if (!groupFlags.some(({ name }) => input.given(name))) return null
  const { liveSettings } = await import('../../server/daemon/settings.ts')
  return liveSettings(pathsFrom(input.env)).now().limit
}

async function startsGroup(group: GroupSpec, wish: StartWish, input: Input): ReturnType<CommandRun> {
  const { startGroup, startGroupInBackground } = await import('../foreground/group.ts')
  const { priority, state } = wish
  const deleteState = state === 'delete'
  const { bestOf } = group
  const told = bestOf && wish.injected.length > 0 && { bestOf: { ...bestOf, injected: wish.injected } }
  const spec = { ...group, ...told, ...(deleteState && { deleteState }) }
  return priority ? startGroupInBackground(spec, priority, input) : startGroup(spec, input)
}

/** A shape file that a plan would use is never ignored silently. */
function sayShape({ cwd }: Spec, input: Input): void {
  const file = join(cwd, '.loop', 'shape', 'SHAPE.md')
  if (!existsSync(file)) return
  notice(input, `${file} is not used: what you gave with -p decides. Without -p, loop plans by that file.`)
}

/** A mistake in the scripted agent's script is reported before anything runs. */
async function soundScript({ agent, agentCmd, cwd }: Spec): Promise<Result<unknown>> {
  if (agent !== 'scripted') return ok(null)
  const { parseScript } = await import('../../adapters/agents/script.ts')
  return parseScript(readFileSync(agentCmd, 'utf8'), agentCmd, cwd)
}

export function startLoop({ spec, injected }: StartWish, input: Input): ReturnType<CommandRun> {
  return withWorld(input.env, async world => {
    const view = foregroundView(input, world)
    const loop = createLoop(world, { spec, injected })
    if (loop.ok) return runForeground(loop.value, view, input)
    view.stop()
    return loop
  })
}

async function startInBackground(wish: StartWish, input: Input): ReturnType<CommandRun> {
  const meant = mayHandOver(input.env)
  if (!meant.ok) return meant
  const id = queue(wish, input.env)
  if (!id.ok) return id
  const given = await underDaemon(id.value, input)
  if (given.ok && !input.given('json')) out(`State: ${stateWords(wish.state === 'delete')}`)
  return given
}

/** The loop is recorded first and waits, whatever happens to loopd. Returns its id. */
export function queue(wish: StartWish, env: NodeJS.ProcessEnv): Result<string> {
  const store = openStore(pathsFrom(env))
  if (!store.ok) return store
  const world = { store: store.value, now: Date.now }
  const { priority, ...queued } = inBackground(wish)
  const id = queueLoop(world, { ...queued, env }, priority)
  store.value.close()
  return ok(id)
}

function dryRun(spec: Spec, group: GroupSpec | null, input: Input): Result<number> {
  const envelope = { v: eventVersion, seq: 1, at: 0, loop: '(dry run)', epoch: 0, cause: null }
  const state = begin({ ...envelope, ...creation(spec) })
  const lines = [...plan(state), ...(group ? groupPlan(group) : [])].map(safeLine)
  if (!group?.deleteState && !spec.deleteState) lines.push(stateHint)
  lines.push(...origins(input), nothingRunWords)
  outFor<'loopPlanned' | 'groupPlanned'>(input, group ?? spec, lines.join('\n'))
  return ok(0)
}

export default start
