/**
 * Runs a promise and says PASS, FAIL or ERROR. Under the shim, like an agent, so that a promise has a wall
 * timeout, leaves no process behind, and does not outlive a host that was killed unnoticed: what an earlier
 * attempt left running is stopped before the command is run again.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Exit } from '../model/run.ts'
import type { Criterion } from '../model/spec.ts'
import { readExit } from './process/files.ts'
import type { Here } from './process/proc.ts'
import { clear, launch, look, stop, watchRun } from './process/run.ts'

export type Verification = {
  criterion: Criterion
  /** Its own directory; the output, both streams, will be in `out`. */
  dir: string
  cwd: string
  env: NodeJS.ProcessEnv
  timeoutMs: number
  graceMs: number
  marker: string
}

/** `exit` is null when the command was killed from outside. */
export type Verified = { exit: Exit | null; durationMs: number }

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
  const argv = ['/bin/sh', '-c', 'exec /bin/sh -c "$1" 2>&1', 'sh', run.criterion.command]
  const launched = await launch({ ...run, argv }, here)
  if (!launched.ok) return launched
  await untilEnded(dir, here, signal)
  if (signal.aborted) {
    await forget(run, here)
    return null
  }
  const { alive } = await clear(dir, here, { marker: run.marker, tree: run.cwd })
  if (alive.length > 0) {
    return fail('step-failed', `processes of "${run.criterion.command}" can not be killed: ${pids(alive)}`)
  }
  const exit = readExit(dir)
  const durationMs = exit?.durationMs ?? Math.round(performance.now() - began)
  return ok({ exit, durationMs })
}

async function untilEnded(dir: string, here: Here, signal: AbortSignal): Promise<void> {
  const doorbell = watchRun(dir)
  while (!signal.aborted && !readExit(dir) && look(dir, here).alive) {
    await doorbell.ring(200, signal)
  }
  doorbell.close()
}

/** Stops what an attempt that was aborted, or whose host died, left running, and removes its files. */
async function forget(run: Verification, here: Here): Promise<void> {
  const { dir } = run
  if (!existsSync(dir)) return
  await stop(dir, here, 0)
  await clear(dir, here, { marker: run.marker, tree: run.cwd })
  rmSync(dir, { recursive: true, force: true })
}

function pids(processes: { pid: number }[]): string {
  return processes.map(({ pid }) => pid).join(', ')
}
