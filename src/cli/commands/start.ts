/** `loop start`: resolves what was typed, creates the loop, drives it to its end. */
import { readFileSync } from 'node:fs'
import { begin } from '../../core/loop/evolve.ts'
import { createLoop, queueLoop } from '../../engine/host.ts'
import { all, ok, type Result } from '../../model/failure.ts'
import { priorities, type Spec } from '../../model/loop/spec.ts'
import { eventVersion } from '../../model/version.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { plan } from '../../views/text/announce.ts'
import { jsonText, safeLine } from '../../views/text/plain-text.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { withConfig } from '../config/load.ts'
import { foregroundView, runForeground } from '../foreground/drive.ts'
import { askLine, isYes } from '../foreground/question.ts'
import { underDaemon } from '../loopd/connect.ts'
import { specFrom, textOfFile } from '../options/spec.ts'
import { unfit } from '../options/value.ts'
import { out } from '../terminal.ts'

const start: CommandRun = async typed => {
  const configured = await withConfig(typed)
  if (!configured.ok) return configured
  const input = configured.value
  const spec = specFrom(input)
  if (!spec.ok) return spec
  const sound = await soundScript(spec.value)
  if (!sound.ok) return sound
  if (input.given('dry-run')) return dryRun(spec.value, input)
  if (input.given('session'))
    return (await import('../session/start-session.ts')).startSession(spec.value, input)
  if (input.given('background')) return startInBackground(spec.value, input)
  const deleteState = await disclosed(spec.value, input)
  return startLoop({ ...spec.value, deleteState }, input)
}

/** A mistake in the script of the scripted agent is found before anything is run. */
async function soundScript({ agent, agentCmd, cwd }: Spec): Promise<Result<unknown>> {
  if (agent !== 'scripted') return ok(null)
  const { parseScript } = await import('../../adapters/agents/script.ts')
  return parseScript(readFileSync(agentCmd, 'utf8'), agentCmd, cwd)
}

const answerMs = 10_000

/** Says what is written into the work tree, and asks whether to remove it at the end; silence keeps it. */
async function disclosed({ attended }: Spec, input: Input): Promise<boolean> {
  const wish = input.value('state')
  if (wish !== null || !attended || input.given('yes')) return wish === 'delete'
  const question = 'Writing state to .loop/state.json. Delete after session? [y/N] '
  return isYes(await askLine(question, AbortSignal.timeout(answerMs)))
}

export function startLoop(spec: Spec, input: Input): ReturnType<CommandRun> {
  const injected = injectedFrom(input)
  if (!injected.ok) return Promise.resolve(injected)
  return withWorld(input.env, async world => {
    const view = foregroundView(input, world)
    const loop = createLoop(world, { spec, injected: injected.value }, view.tell)
    if (loop.ok) return runForeground(loop.value, view, input)
    view.stop()
    return loop
  })
}

function injectedFrom(input: Input): Result<string[]> {
  return all(input.values('inject').map(file => textOfFile(file, '--inject')))
}

async function startInBackground(spec: Spec, input: Input): ReturnType<CommandRun> {
  const id = queue(spec, input)
  return id.ok ? underDaemon(id.value, input) : id
}

/** Whatever becomes of loopd: the loop is recorded first, and waits. Its id. */
export function queue(spec: Spec, input: Input): Result<string> {
  const injected = injectedFrom(input)
  if (!injected.ok) return injected
  const priority = priorities.find(name => name === input.value('priority'))
  if (!priority) return unfit(input, 'priority')
  const store = openStore(pathsFrom(input.env))
  if (!store.ok) return store
  const wish = {
    spec: { ...spec, attended: false, deleteState: input.value('state') === 'delete' },
    injected: injected.value,
  }
  const id = queueLoop({ store: store.value, now: Date.now }, { ...wish, env: input.env }, priority)
  store.value.close()
  return ok(id)
}

async function dryRun(spec: Spec, input: Input) {
  const envelope = { v: eventVersion, seq: 1, at: 0, loop: '(dry run)', epoch: 0, cause: null }
  const state = begin({ ...envelope, kind: 'loop.created', data: { spec } })
  const { origins } = await import('../config/print.ts')
  const lines = [...plan(state).map(safeLine), ...origins(input), 'Nothing was run.']
  out(input.given('json') ? jsonText(spec) : lines.join('\n'))
  return ok(0)
}

export default start
