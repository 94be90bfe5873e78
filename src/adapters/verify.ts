/**
 * Runs a promise and says PASS, FAIL or ERROR. Under the shim, like an agent, so that a promise has a wall
 * timeout, leaves no process behind, and does not outlive a host that was killed unnoticed: what an earlier
 * attempt left running is stopped before the command is run again.
 */
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Exit } from '../model/run.ts'
import { readExit } from './process/files.ts'
import type { Here } from './process/proc.ts'
import { clear, type Handle, launch, look, stop, watchRun } from './process/run.ts'

export type Verification = {
  command: string
  /** Its own directory; the output, both streams, will be in `out`. */
  dir: string
  cwd: string
  env: NodeJS.ProcessEnv
  timeoutMs: number
  graceMs: number
  maxOutputBytes: number
  marker: string
}

/** `exit` is null when the command was killed from outside; `flooded` when it printed more than allowed. */
export type Verified = { exit: Exit | null; flooded: boolean; durationMs: number }

/** Null when aborted: then nothing of it runs any more. */
export async function verify(
  run: Verification,
  here: Here,
  signal: AbortSignal,
): Promise<Result<Verified> | null> {
  const { dir } = run
  await forget(run, here)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const began = performance.now()
  // Both streams in one file: a person reads them in the order in which they were written.
  const argv = ['/bin/sh', '-c', 'exec /bin/sh -c "$1" 2>&1', 'sh', run.command]
  const launched = await launch({ ...run, argv }, here)
  if (!launched.ok) return launched
  const handle = { dir, marker: run.marker, tree: run.cwd, here, identity: launched.value.identity }
  const flooded = await untilEnded(handle, run.maxOutputBytes, signal)
  if (signal.aborted) {
    await forget(run, here)
    return null
  }
  const { alive } = await clear(handle)
  if (alive.length > 0) {
    return fail('step-failed', `processes of "${run.command}" can not be killed: ${pids(alive)}`)
  }
  const exit = await trueExit(dir, launched.value.exitCode)
  const durationMs = exit?.durationMs ?? Math.round(performance.now() - began)
  return ok({ exit, flooded, durationMs })
}

/** True when it printed too much; then it is about to be killed. */
async function untilEnded(run: Handle, mostBytes: number, signal: AbortSignal): Promise<boolean> {
  const doorbell = watchRun(run.dir)
  try {
    while (!signal.aborted && !readExit(run.dir) && look(run).alive) {
      if ((statSync(join(run.dir, 'out'), { throwIfNoEntry: false })?.size ?? 0) > mostBytes) return true
      await doorbell.ring(200, signal)
    }
    return false
  } finally {
    doorbell.close()
  }
}

/**
 * How the command ended, from its exit file, which lies where an agent could have put it: believed only when
 * the process we started ended the same way.
 */
async function trueExit(dir: string, exitCode: Promise<number | null>): Promise<Exit | null> {
  const exit = readExit(dir)
  return exit !== null && exit.code === (await exitCode) ? exit : null
}

/** Stops what an attempt that was aborted, or whose host died, left running, and removes its files. */
async function forget(run: Verification, here: Here): Promise<void> {
  const { dir } = run
  if (!existsSync(dir)) return
  const handle = { dir, marker: run.marker, tree: run.cwd, here, identity: null }
  await stop(handle, 0)
  await clear(handle)
  rmSync(dir, { recursive: true, force: true })
}

function pids(processes: { pid: number }[]): string {
  return processes.map(({ pid }) => pid).join(', ')
}
