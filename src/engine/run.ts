/**
 * The steps of an agent run: prepare it (prompt, directory), attach to it (launching it if nobody has), stop
 * it, clear what it left. Each may be asked again by another host after any crash.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { reportedUsage } from '../adapters/agent.ts'
import { identify, readExit } from '../adapters/process/files.ts'
import {
  clear,
  type Handle,
  isElsewhere,
  type Launch,
  launch,
  look,
  recognize,
  shimSaid,
  stop,
  watchRun,
} from '../adapters/process/run.ts'
import type { Step } from '../core/decide.ts'
import { buildPrompt, type Excerpt } from '../core/prompt.ts'
import { recover } from '../core/recover.ts'
import type { Run, State } from '../core/state.ts'
import { endOf } from '../core/verdict.ts'
import type { Event, EventOf } from '../model/event.ts'
import type { Spec } from '../model/spec.ts'
import { excerpt, settle, sizeOf, writeDurably } from '../store/artifact.ts'
import { loopDir, runDir } from '../store/paths.ts'
import { failed, type Task } from './perform.ts'
import { cleanOf, redactFile, secretBytes } from './redaction.ts'

const pollMs = 200
const excerptBytes = 4_000

export async function prepareRun(step: Extract<Step, { kind: 'prepare' }>, task: Task): Promise<Event[]> {
  const { world, state } = task
  const root = loopDir(world.store.paths, state.id)
  const dir = runDir(step.run)
  // A host that died here has recorded nothing, so nothing was launched from what it left.
  rmSync(join(root, dir), { recursive: true, force: true })
  mkdirSync(join(root, dir), { recursive: true, mode: 0o700 })
  const path = join(dir, 'prompt')
  const bytes = writeDurably(join(root, path), buildPrompt(state, step.iteration, excerpts(state, root)))
  const prompt = { path, bytes, tail: '' }
  const { run, iteration } = step
  const injected = state.injected.length
  return [{ kind: 'run.started', data: { run, iteration, dir, boot: world.here.boot, prompt, injected } }]
}

/** Launches the run if nobody has, and learns who it is; from then on, waits for its end. */
export async function attachRun(task: Task): Promise<Event[]> {
  const run = openRun(task.state)
  if (!run.identity) return beginRun(task, run)
  const handle = handleOf(task, run)
  const doorbell = watchRun(handle.dir)
  const tooMuch = outputWatch(handle.dir, task.state.spec)
  try {
    while (!task.signal.aborted) {
      const event = await endOfRun(task, handle, tooMuch)
      if (event) return [event]
      await doorbell.ring(pollMs, task.signal)
    }
    return []
  } finally {
    doorbell.close()
  }
}

async function beginRun(task: Task, run: Run): Promise<Event[]> {
  const { world } = task
  const handle = handleOf(task, run)
  const next = recover(run, look(handle), world.here.boot)
  let identity = identify(handle.dir)
  if (next === 'launch') {
    world.fault('spawn:before')
    const launched = await launch(launchOf(task, run), world.here)
    world.fault('spawn')
    if (!launched.ok) return [failed('start of the agent', launched.failure.message)]
    identity = launched.value.identity
  } else if (identity) identity = await recognize(handle, 0)
  if (!identity) return [lost(task, run, 'the files of the run were spoiled')]
  const event: Event = { kind: 'run.launched', data: { run: run.run, identity } }
  // A quick agent has ended already: one write to the journal is enough for both.
  return readExit(handle.dir) ? [event, ended(task, run, null)] : [event]
}

/** The event that says how the run ended, null while it goes on. */
async function endOfRun(
  task: Task,
  handle: Handle,
  tooMuch: ReturnType<typeof outputWatch>,
): Promise<Event | null> {
  const { world, state } = task
  const run = openRun(state)
  const next = recover(run, look(handle), world.here.boot)
  if (next === 'ended') return ended(task, run, null)
  if (typeof next === 'object') return lost(task, run, next.lost)
  const how = tooMuch()
  if (!how) return null
  await stop(handle, state.spec.graceMs)
  return ended(task, run, how)
}

/** Asked again and again: has the run printed too much, or nothing for too long? */
function outputWatch(dir: string, spec: Spec): () => 'flooded' | 'idle' | null {
  let known = 0
  let since = performance.now()
  return () => {
    const bytes = sizeOf(join(dir, 'out')) + sizeOf(join(dir, 'err'))
    if (bytes > spec.maxOutputBytes) return 'flooded'
    if (bytes !== known) since = performance.now()
    known = bytes
    return spec.idleTimeoutMs && performance.now() - since > spec.idleTimeoutMs ? 'idle' : null
  }
}

export async function stopRun(task: Task): Promise<Event[]> {
  const { world, state } = task
  const run = openRun(state)
  const handle = handleOf(task, run)
  const identity = run.identity ?? identify(handle.dir)
  if (identity && isElsewhere(identity, world.here) && look(handle).alive && !readExit(handle.dir)) {
    const why = 'it runs in another PID namespace; cancel the loop from where it was started'
    return [failed('stop of the agent', why)]
  }
  await stop(handle, state.spec.graceMs)
  return [ended(task, run, 'stopped')]
}

export async function clearRun(task: Task): Promise<Event[]> {
  const run = openRun(task.state)
  const { alive, killed, suspects } = await clear(handleOf(task, run))
  if (alive.length > 0) return [{ kind: 'run.survived', data: { run: run.run, alive } }]
  const redacted = await redactRun(task, run)
  if (task.signal.aborted) return []
  return [
    { kind: 'run.cleared', data: { run: run.run, killed, suspects, ...(redacted > 0 && { redacted }) } },
  ]
}

/** Nobody writes to its output any more: what must not be kept is taken out of it. */
async function redactRun(task: Task, run: Run): Promise<number> {
  const dir = join(loopDir(task.world.store.paths, task.state.id), run.dir)
  const secrets = secretBytes(task.world.env)
  let redacted = 0
  for (const name of ['out', 'err']) redacted += await redactFile(join(dir, name), secrets, task.signal)
  return redacted
}

function handleOf({ world, state }: Task, run: Run): Handle {
  return {
    dir: join(loopDir(world.store.paths, state.id), run.dir),
    marker: marker(state, run.run),
    tree: state.spec.cwd,
    here: world.here,
    identity: run.identity,
  }
}

function launchOf(task: Task, run: Run): Launch {
  const { world, state } = task
  const { spec } = state
  const dir = join(loopDir(world.store.paths, state.id), run.dir)
  const call = world.agents[spec.agent].call(spec)
  return {
    dir,
    cwd: spec.cwd,
    argv: call.argv,
    env: {
      ...world.env,
      ...call.env,
      LOOP_ID: state.id,
      LOOP_ITERATION: String(run.iteration),
      LOOP_PROMPT_FILE: join(dir, 'prompt'),
      LOOP_USAGE_FILE: join(dir, 'usage'),
    },
    timeoutMs: spec.timeoutMs,
    graceMs: spec.graceMs,
    marker: marker(state, run.run),
  }
}

function ended(task: Task, run: Run, forced: EventOf<'run.ended'>['data']['how'] | null): Event {
  const { world, state } = task
  const root = loopDir(world.store.paths, state.id)
  const exit = readExit(join(root, run.dir))
  return {
    kind: 'run.ended',
    data: {
      run: run.run,
      how: forced ?? (exit ? endOf(exit) : 'killed'),
      exitCode: exit?.code ?? null,
      durationMs: exit?.durationMs ?? 0,
      ...outputs(task, run),
      ...reportedUsage(join(root, run.dir, 'usage')),
    },
  }
}

function lost(task: Task, run: Run, why: string): Event {
  const root = loopDir(task.world.store.paths, task.state.id)
  const said = shimSaid(join(root, run.dir))
  return { kind: 'run.lost', data: { run: run.run, why: `${why}${said}`, ...outputs(task, run) } }
}

function outputs({ world, state }: Task, run: Run) {
  const root = loopDir(world.store.paths, state.id)
  const clean = cleanOf(world.env)
  return {
    out: settle(root, join(run.dir, 'out'), clean),
    err: settle(root, join(run.dir, 'err'), clean),
  }
}

function openRun(state: State): Run {
  if (!state.run) throw new Error('Internal error: a step of a run without a run')
  return state.run
}

function marker(state: State, run: number): string {
  return `${state.id}/${runDir(run)}`
}

function excerpts(state: State, root: string): Record<string, Excerpt> {
  return Object.fromEntries(
    state.results.map(({ name, output }) => [name, excerpt(join(root, output.path), excerptBytes)]),
  )
}
