/**
 * One run of a command under the shim: launch it, look at it, wait for it, stop it, make sure it is gone.
 * The host is never in the data path: it reads files and sends signals, so that its death changes nothing
 * for the command. Everything loop starts and that may outlive a moment (agents, promises) runs this way.
 */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { RunFiles } from '../../model/run.ts'
import { containment } from './contain.ts'
import { type Claim, claimForNobody, readClaim, readExit, readPid } from './files.ts'
import { untilNot } from './patience.ts'
import { type Here, isAlive, signalProcess } from './proc.ts'
import { type Swept, sweep } from './sweep.ts'

export type Launch = {
  dir: string
  cwd: string
  argv: string[]
  env: NodeJS.ProcessEnv
  timeoutMs: number
  graceMs: number
  /** Found in the environment of every process of the run: `LOOP_RUN`, a list, since loops run in loops. */
  marker: string
}

const shim = fileURLToPath(new URL('./shim.sh', import.meta.url))
const claimMs = 10_000
const goneMs = 10_000

/**
 * Starts the shim and resolves once the run is claimed, by it or by another one. Safe to call twice.
 * The child is a session of its own and is not waited for: it outlives this program.
 */
export async function launch(run: Launch, here: Here): Promise<Result<null>> {
  if (!existsSync(run.cwd)) return fail('step-failed', `the directory ${run.cwd} is gone; put it back`)
  const log = openSync(join(run.dir, 'shim'), 'a', 0o600)
  const seconds = (ms: number) => (ms / 1_000).toFixed(3)
  const child = spawn(
    '/bin/sh',
    [
      shim,
      containment(run.env),
      run.dir,
      seconds(run.timeoutMs),
      seconds(run.graceMs),
      here.boot,
      here.ns,
      '--',
      ...run.argv,
    ],
    {
      cwd: run.cwd,
      env: { ...run.env, LOOP_RUN: [run.marker, run.env['LOOP_RUN']].filter(Boolean).join(' ') },
      detached: true,
      stdio: ['ignore', 'ignore', log],
    },
  )
  closeSync(log)
  const ended = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', code => resolve(`the shim ended with ${code}`))
  })
  child.unref()
  const why = await claimedOr(run.dir, ended)
  if (why === null) return ok(null)
  return fail('step-failed', `${why}${shimSaid(run.dir)}`)
}

/** What the shim itself complained about, to be put behind a sentence; mostly nothing. */
export function shimSaid(dir: string): string {
  const log = join(dir, 'shim')
  const said = existsSync(log) ? readFileSync(log, 'utf8').trim().slice(-500) : ''
  return said ? `: ${said}` : ''
}

/** Null once the run is claimed; else why it never will be. */
async function claimedOr(dir: string, ended: Promise<string>): Promise<string | null> {
  const doorbell = watchRun(dir)
  const deadline = performance.now() + claimMs
  try {
    while (!readClaim(dir)) {
      const why = await Promise.race([ended, doorbell.ring(50)])
      if (why && !readClaim(dir)) return why
      if (performance.now() > deadline) return `the shim did not claim the run within ${claimMs / 1_000}s`
    }
    return null
  } finally {
    doorbell.close()
  }
}

/** What is known about a run from here. */
export function look(dir: string, here: Here): RunFiles {
  const claim = readClaim(dir)
  // In this order: a run writes its exit file before it dies, so what is dead and has none never had one.
  const alive = claim !== null && lives(dir, claim, here)
  return { claimed: claim !== null, exited: readExit(dir) !== null, alive }
}

function lives(dir: string, claim: Claim, here: Here): boolean {
  if (claim.mode === 'never' || claim.boot !== here.boot) return false
  if (isElsewhere(claim, here)) return !claim.locked || isLocked(join(dir, 'claim'))
  const inner = readPid(dir)
  return isAlive(claim) || (inner !== null && isAlive(inner))
}

/** In another PID namespace: alive or not is for the kernel to say, and nothing there can be signalled. */
export function isElsewhere(claim: Claim, here: Here): boolean {
  return claim.mode !== 'never' && claim.boot === here.boot && claim.ns !== here.ns
}

function isLocked(file: string): boolean {
  return spawnSync('flock', ['--nonblock', file, 'true'], { stdio: 'ignore' }).status === 1
}

export type Doorbell = { ring(ms: number, signal?: AbortSignal): Promise<null>; close(): void }

/** Rings when the run is claimed or ends, when aborted, and after `ms` at the latest. Watching is only a hint. */
export function watchRun(dir: string): Doorbell {
  let rung = false
  let wake = () => {}
  let watcher: ReturnType<typeof watch> | null = null
  try {
    // A claimed run rings by writing to its claim; the directory would ring for every line of output.
    const claim = join(dir, 'claim')
    watcher = watch(existsSync(claim) ? claim : dir, () => {
      rung = true
      wake()
    })
    watcher.on('error', () => watcher?.close())
  } catch {
    watcher = null // no inotify watches left: the poll below is enough
  }
  return {
    ring: (ms, signal) =>
      new Promise(resolve => {
        const timer = setTimeout(() => wake(), ms)
        wake = () => {
          rung = false
          clearTimeout(timer)
          signal?.removeEventListener('abort', wake)
          resolve(null)
        }
        signal?.addEventListener('abort', wake)
        if (rung || signal?.aborted) wake() // it rang while nobody was listening
      }),
    close: () => watcher?.close(),
  }
}

/** TERM, then up to `graceMs` for the command to end; a run not yet claimed will never start. `clear` kills. */
export async function stop(dir: string, here: Here, graceMs: number): Promise<void> {
  if (claimForNobody(dir)) return
  if (!look(dir, here).alive) return
  const target = readPid(dir) ?? readClaim(dir)
  if (target) signalProcess(target, 'SIGTERM')
  await untilNot(() => readExit(dir) === null && look(dir, here).alive, graceMs)
}

/**
 * Leaves nothing of the run alive. Resolves with what was killed, what may be left, and what refuses to die.
 */
export async function clear(dir: string, here: Here, run: { marker: string; tree: string }): Promise<Swept> {
  const claim = readClaim(dir)
  // Without a claim somebody has removed the files of the run; its processes still carry its mark.
  if (!claim) return sweep({ ...run, dir, claim })
  if (claim.mode === 'never' || claim.boot !== here.boot) return { killed: null, alive: [], suspects: [] }
  if (isElsewhere(claim, here)) {
    const elsewhere = { pid: claim.pid, command: 'in another PID namespace, out of sight' }
    return { killed: null, alive: [], suspects: claim.mode === 'group' ? [elsewhere] : [] }
  }
  if (claim.mode === 'group') return sweep({ ...run, dir, claim })
  const inner = readPid(dir)
  const identities = inner ? [claim, inner] : [claim]
  const living = () => identities.filter(isAlive)
  // With its exit file written, process 1 is about to end by itself; without, it has to be killed.
  if (readExit(dir)) await untilNot(() => living().length > 0, 1_000)
  for (const identity of living().toReversed()) signalProcess(identity, 'SIGKILL')
  await untilNot(() => living().length > 0, goneMs)
  return {
    killed: null,
    alive: living().map(({ pid }) => ({ pid, command: 'process 1 of the run' })),
    suspects: [],
  }
}
