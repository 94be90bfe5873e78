/**
 * Runs a promise and judges it: PASS, FAIL or ERROR. It runs under the shim, like an agent, so that it has a timeout,
 * leaves no process behind, and is found again after its host was killed: whatever an earlier attempt left running
 * is stopped before the command runs again.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Exit } from '../model/run.ts'
import type { Here } from '../platform/contract.ts'
import { cutOutput, nextLookMs } from './process/cut-output.ts'
import { readExit } from './process/files.ts'
import { clear, launch, stopRunning } from './process/run.ts'
import type { Launch } from './process/shim.ts'

type Verification = {
  command: string
  /** The same command, which also notes the exit codes before its pipes in `pipeFile`. */
  asRun?: string
  /** The text of the command is in no argument and no message. */
  isHidden?: boolean | undefined
  /** The directory of this run; the output of both streams goes to `out` in it. */
  dir: string
  cwd: string
  mounts?: Launch['mounts']
  sandbox?: Launch['sandbox']
  env: NodeJS.ProcessEnv
  timeoutMs: number
  graceMs: number
  maxOutputBytes: number
  marker: string
  /** The command acts for the user, and is no run of an agent. */
  mark?: 'LOOP_HOOK'
  /** If aborted, the command goes on by itself, and the next host finds it by its directory. */
  outlives?: boolean
}

/** How a promise can call loop itself (`loop check`), even if neither loop nor its Node is on the PATH. */
const ownProgram = join(
  import.meta.dirname,
  extname(import.meta.filename) === '.ts' ? '../..' : '..',
  'bin',
  'loop',
)

/**
 * `exit`: null where the command was killed from outside. `flooded`: it printed more than allowed. `piped`: the exit code
 * of a command before a pipe that failed.
 */
type Verified = { exit: Exit | null; flooded: boolean; piped: number | null; durationMs: number }

export function pipeFile(dir: string): string {
  return join(dir, 'piped')
}

function pipedIn(dir: string): number | null {
  try {
    const code = Number.parseInt(readFileSync(pipeFile(dir), 'utf8').slice(0, 10), 10)
    return code > 0 && code < 256 ? code : null
  } catch {
    return null // no such command failed
  }
}

/** Null where it was aborted: then nothing of it runs any more, unless the command may outlive that. */
export async function verify(
  run: Verification,
  here: Here,
  signal: AbortSignal,
): Promise<Result<Verified> | null> {
  const { dir } = run
  await endLeftover(run, here)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  // Both streams go into one file, in the order in which they were written.
  symlinkSync('out', join(dir, 'err'))
  const began = performance.now()
  const env = { ...run.env, LOOP_PROGRAM: ownProgram, LOOP_RUNTIME: process.execPath }
  const launched = await launch({ ...run, env, ...commandOf(run) }, here)
  if (!launched.ok) return launched
  const { identity, exitCode } = launched.value
  const handle = { dir, marker: run.marker, tree: run.cwd, here, identity }
  const stopped = await untilEnded(run, exitCode, signal)
  if (signal.aborted) {
    if (!run.outlives) await endLeftover(run, here)
    return null
  }
  const { alive } = await clear(handle)
  if (alive.length > 0) {
    return fail('step-failed', {
      kind: 'unkillable',
      command: run.isHidden ? 'the hold-out' : run.command,
      pids: alive.map(({ pid }) => pid),
    })
  }
  const flooded = cutOutput(dir, run.maxOutputBytes) || stopped
  const exit = await trueExit(dir, exitCode)
  const durationMs = exit?.durationMs ?? Math.round(performance.now() - began)
  return ok({ exit, flooded, piped: pipedIn(dir), durationMs })
}

/**
 * A hidden command is read from file 4, since any process of the user can read the arguments of another one. In a
 * sandbox the agents do not see it, and not every program that makes one passes files on.
 */
function commandOf(run: Verification): Pick<Launch, 'argv' | 'passed'> {
  const { command, isHidden, sandbox } = run
  if (!isHidden || sandbox) return { argv: ['/bin/sh', '-c', run.asRun ?? run.command] }
  return { argv: ['/bin/sh', '-c', 'command=$(cat <&4) && exec 4<&- && eval "$command"'], passed: command }
}

/** Waits until the shim has ended or must be stopped. True where the command printed too much. */
async function untilEnded(run: Verification, ended: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const { promise: woken, resolve: wake } = Promise.withResolvers<boolean>()
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const printed = outputBytes(run)
    if (printed > run.maxOutputBytes) wake(true)
    timer = setTimeout(look, nextLookMs(printed, run.maxOutputBytes, 200))
  }
  look()
  const over = () => wake(false)
  ended.then(over, over)
  signal.addEventListener('abort', over)
  if (signal.aborted) over()
  try {
    return await woken
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', over)
  }
}

/** The command can replace its output file, by a circular link for example: then the size is unknown, and counts as 0. */
function outputBytes({ dir }: Verification): number {
  try {
    return statSync(join(dir, 'out'), { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return 0 // an exception in a timer would end the host, and with it every other loop
  }
}

/**
 * How the command ended, by its exit file. An agent could have written that file, so it is believed only if the process
 * that was started here exited with the same code.
 */
async function trueExit(dir: string, exitCode: Promise<number | null>): Promise<Exit | null> {
  const exit = readExit(dir)
  return exit !== null && exit.code === (await exitCode) ? exit : null
}

/** Stops what an earlier attempt left running, after an abort or the death of its host, and removes its files. */
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
