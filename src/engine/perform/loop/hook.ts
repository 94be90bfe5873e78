/**
 * The steps of a hook: the command that loop runs for the user after the end of a loop. It runs under the shim like
 * an agent run, so it is claimed once, has a time limit, outlives its host and leaves nothing running. It carries no
 * mark of a run, so commands that are reserved for people work in it, even on the ended loop. Its result is one
 * `hook.ended`; the loop's own outcome does not change.
 */

import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { readExit } from '../../../adapters/process/files.ts'
import {
  clear,
  type Handle,
  launch,
  lookAtRun,
  shimSaid,
  stopRunning,
  watchRun,
} from '../../../adapters/process/run.ts'
import type { Step } from '../../../core/loop/decide.ts'
import type { DueHook, HookPart } from '../../../core/loop/parts/hook.ts'
import type { State } from '../../../core/loop/state.ts'
import { summarize } from '../../../core/loop/summary.ts'
import { recover } from '../../../core/loop/verdict.ts'
import type { Event, EventOf } from '../../../model/loop/event.ts'
import { formatDuration } from '../../../model/units.ts'
import { settle, sizeOf } from '../../../store/files/artifact.ts'
import { hookDir, loopDir } from '../../../store/files/paths.ts'
import { reasonWords } from '../../../views/words/message.ts'
import { inWords } from '../../recorded.ts'
import { cleanOf, redactFile, secretBytes } from './redaction.ts'
import { clearUnrecorded } from './run.ts'
import type { Task } from './steps.ts'

const pollMs = 200
/** The shim enforces the time limit; a hook that exceeds it by this much has tampered with the shim's timer. */
const overdueMs = 5_000

type Hook = NonNullable<HookPart['open']>
type Ending = Pick<EventOf<'hook.ended'>['data'], 'how' | 'facts' | 'why'>

export async function startHook(step: { kind: 'hook-start' } & DueHook, task: Task): Promise<Event[]> {
  const { hook, on, command } = step
  const { world, state } = task
  const dir = hookDir(hook)
  const path = join(loopDir(world.store.paths, state.id), dir)
  clearUnrecorded(path)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  // Both streams go to one file, so that a person reads them in the order in which they were written.
  symlinkSync('out', join(path, 'err'))
  return [{ kind: 'hook.started', data: { hook, on, command, dir, boot: world.here.boot } }]
}

/**
 * Launches the hook if nobody has, and waits for its end. After an abort the hook continues, and another step or
 * host finds it.
 */
export async function attachHook(task: Task): Promise<Event[]> {
  const hook = openHook(task.state)
  const handle = handleOf(task, hook)
  const next = recover(hook, lookAtRun(handle), task.world.here.boot)
  if (next === 'launch') {
    task.world.fault('hook:before')
    const launched = await launch(launchOf(task, hook), task.world.here)
    task.world.fault('hook')
    if (!launched.ok) return [await endHook(task, { how: 'not-run', ...inWords(launched.failure.facts) })]
  }
  const latest = performance.now() + timeoutMs(task.state) + task.state.spec.graceMs + overdueMs
  const doorbell = watchRun(handle.dir)
  try {
    while (!task.signal.aborted) {
      const ending = endingOf(task, handle, performance.now() > latest)
      if (ending) return [await endHook(task, ending)]
      await doorbell.ring(task.world.pollMs?.() ?? pollMs, task.signal)
    }
    return []
  } finally {
    doorbell.close()
  }
}

export async function stopHook(task: Task): Promise<Event[]> {
  return [await endHook(task, { how: 'stopped', why: 'stopped by you' })]
}

/** A failure in a hook's step (disk full, missing directory) ends the hook: it is not retried forever. */
export function hookFailed(step: Step, { hook }: State, reason: Omit<Ending, 'how'>): Event | null {
  const about = step.kind === 'hook-start' ? step : step.kind.startsWith('hook') ? hook.open : null
  if (!about) return null
  const { hook: n, on, command } = about
  const nothing = { exitCode: null, durationMs: 0, output: null }
  const how = hook.open ? 'lost' : 'not-run'
  return { kind: 'hook.ended', data: { hook: n, on, command, how, ...reason, ...nothing } }
}

/** Null while it runs. */
function endingOf({ world, state }: Task, handle: Handle, isOverdue: boolean): Ending | null {
  const hook = openHook(state)
  const next = recover(hook, lookAtRun(handle), world.here.boot)
  if (next === 'ended') return exitWords(handle.dir, state)
  if (typeof next === 'object') {
    return { how: 'lost', ...inWords({ kind: 'hook-lost', how: next.lost, said: shimSaid(handle.dir) }) }
  }
  if (sizeOf(join(handle.dir, 'out')) > state.spec.maxOutputBytes)
    return { how: 'flooded', why: 'stopped: it printed more than allowed' }
  return isOverdue ? { how: 'timeout', why: timeoutWords(state) } : null
}

function exitWords(dir: string, state: State): Ending {
  const exit = readExit(dir)
  if (exit?.timedOut) return { how: 'timeout', why: timeoutWords(state) }
  return { how: 'exited', why: `exit ${exit?.code ?? 'unknown'}` }
}

function timeoutWords(state: State): string {
  return `timed out after ${formatDuration(timeoutMs(state))}`
}

function timeoutMs({ spec }: State): number {
  return spec.hooks?.timeoutMs ?? 0
}

/** Ends all its processes and records how it ended. */
async function endHook(task: Task, { how, ...reason }: Ending): Promise<Event> {
  const { world, state } = task
  const { hook, on, command, dir } = openHook(state)
  const handle = handleOf(task, openHook(state))
  if (how !== 'exited' && how !== 'not-run') await stopRunning(handle, state.spec.graceMs)
  await clear(handle)
  const exit = readExit(handle.dir)
  const root = loopDir(world.store.paths, state.id)
  await redactFile(join(root, dir, 'out'), secretBytes(world.env), task.signal)
  const output = settle(root, join(dir, 'out'), cleanOf(world.env))
  const exitCode = how === 'exited' ? (exit?.code ?? null) : null
  const durationMs = exit?.durationMs ?? 0
  return { kind: 'hook.ended', data: { hook, on, command, how, ...reason, exitCode, durationMs, output } }
}

function handleOf({ world, state }: Task, { dir }: Hook): Handle {
  return {
    dir: join(loopDir(world.store.paths, state.id), dir),
    marker: marker(state, dir),
    tree: state.spec.cwd,
    here: world.here,
    identity: null,
  }
}

function launchOf({ world, state }: Task, { dir, command }: Hook): Parameters<typeof launch>[0] {
  const { spec } = state
  return {
    dir: join(loopDir(world.store.paths, state.id), dir),
    cwd: spec.cwd,
    argv: ['/bin/sh', '-c', command],
    env: { ...world.env, ...variables(state, world.now()) },
    timeoutMs: timeoutMs(state),
    graceMs: spec.graceMs,
    marker: marker(state, dir),
    mark: 'LOOP_HOOK',
  }
}

/** The environment variables that tell the hook about the loop. */
function variables(state: State, now: number): NodeJS.ProcessEnv {
  const summary = summarize(state)
  return {
    LOOP_ID: state.id,
    LOOP_STATUS: summary.status,
    LOOP_REASON: summary.reason ?? '',
    LOOP_MESSAGE: reasonWords(summary, now),
    LOOP_ITERATIONS: String(summary.iteration),
    LOOP_COST_USD: summary.costUsd === null ? '' : String(summary.costUsd),
    LOOP_CWD: summary.cwd,
  }
}

function marker({ id }: State, dir: string): string {
  return `${id}/${dir}`
}

function openHook({ hook }: State): Hook {
  if (!hook.open) throw new Error('Internal error: a step of a hook without a hook')
  return hook.open
}
