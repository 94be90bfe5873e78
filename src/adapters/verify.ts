/**
 * Runs a promise and says PASS, FAIL or ERROR. Under the shim, like an agent, so that a promise has a wall
 * timeout, leaves no process behind, and does not outlive a host that was killed unnoticed: what an earlier
 * attempt left running is stopped before the command is run again.
 */
import { existsSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Exit } from '../model/run.ts'
import { readExit } from './process/files.ts'
import type { Here } from './process/proc.ts'
import { clear, type Launch, launch, stopRunning } from './process/run.ts'

type Verification = {
  command: string
  /** Its own directory; the output, both streams, will be in `out`. */
  dir: string
  cwd: string
  mounts?: Launch['mounts']
  env: NodeJS.ProcessEnv
  timeoutMs: number
  graceMs: number
  maxOutputBytes: number
  marker: string
  /** It acts for the user, and is no run of an agent. */
  mark?: 'LOOP_HOOK'
  /** Aborted, the command goes on by itself: whoever comes next finds it by its directory. */
  outlives?: boolean
}

/** A promise may ask loop itself (`loop check`), also where loop, or the Node that it runs on, is not on the PATH. */
const ownProgram = join(
  import.meta.dirname,
  extname(import.meta.filename) === '.ts' ? '../..' : '..',
  'bin',
  'loop',
)

/** `exit` is null when the command was killed from outside; `flooded` when it printed more than allowed. */
type Verified = { exit: Exit | null; flooded: boolean; durationMs: number }

/** Null when aborted: then nothing of it runs any more, unless it is to outlive that. */
export async function verify(
  run: Verification,
  here: Here,
  signal: AbortSignal,
): Promise<Result<Verified> | null> {
  const { dir } = run
  await endLeftover(run, here)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  // Both streams in one file: a person reads them in the order in which they were written.
  symlinkSync('out', join(dir, 'err'))
  const began = performance.now()
  const env = { ...run.env, LOOP_PROGRAM: ownProgram, LOOP_RUNTIME: process.execPath }
  const launched = await launch({ ...run, env, argv: ['/bin/sh', '-c', run.command] }, here)
  if (!launched.ok) return launched
  const { identity, exitCode } = launched.value
  const handle = { dir, marker: run.marker, tree: run.cwd, here, identity }
  const flooded = await untilEnded(run, exitCode, signal)
  if (signal.aborted) {
    if (!run.outlives) await endLeftover(run, here)
    return null
  }
  const { alive } = await clear(handle)
  if (alive.length > 0) {
    return fail('step-failed', `processes of "${run.command}" cannot be killed: ${pids(alive)}`)
  }
  const exit = await trueExit(dir, exitCode)
  const durationMs = exit?.durationMs ?? Math.round(performance.now() - began)
  return ok({ exit, flooded, durationMs })
}

/** Until the shim we started has ended, or is to be stopped: true when it printed too much. */
async function untilEnded(run: Verification, ended: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const { promise: woken, resolve: wake } = Promise.withResolvers<boolean>()
  const timer = setInterval(() => outputBytes(run) > run.maxOutputBytes && wake(true), 200)
  const over = () => wake(false)
  ended.then(over, over)
  signal.addEventListener('abort', over)
  if (signal.aborted) over()
  try {
    return await woken
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', over)
  }
}

/** The command can put anything in its place, such as a link to itself: then how much it printed is not known. */
function outputBytes({ dir }: Verification): number {
  try {
    return statSync(join(dir, 'out'), { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return 0 // thrown from a timer it would end the host, and with it every other loop
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
export async function endLeftover(
  run: Pick<Verification, 'dir' | 'marker' | 'cwd'>,
  here: Here,
): Promise<void> {
  const { dir } = run
  if (!existsSync(dir)) return
  const handle = { dir, marker: run.marker, tree: run.cwd, here, identity: null }
  await stopRunning(handle, 0)
  await clear(handle)
  rmSync(dir, { recursive: true, force: true })
}

function pids(processes: { pid: number }[]): string {
  return processes.map(({ pid }) => pid).join(', ')
}
