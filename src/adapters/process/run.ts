/**
 * One run of a command under the shim: launch it, look at it, wait for it, stop it, make sure it is gone.
 * The host is never in the data path: it reads files and sends signals, so that its death changes nothing
 * for the command. Everything loop starts and that may outlive a moment (agents, promises) runs this way.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Mount } from '../../model/loop/spec.ts'
import type { ProcessIdentity, RunFiles, RunIdentity } from '../../model/run.ts'
import { containment, entering } from './contain.ts'
import { claimForNobody, identify, isClaimed, readExit } from './files.ts'
import { mounting } from './mount.ts'
import { untilNot } from './patience.ts'
import { type Here, isAlive, procOf, signalProcess } from './proc.ts'
import { isMarked, type Swept, sweep } from './sweep.ts'

/** A run as a host knows it: where its files are, what marks its processes, and who it is once that is known. */
export type Handle = {
  dir: string
  marker: string
  tree: string
  here: Here
  identity: RunIdentity | null
}

export type Launch = {
  dir: string
  cwd: string
  argv: string[]
  /** Made in the mount namespace of the run; `cwd` is then as it is seen there. */
  mounts?: readonly Mount[] | undefined
  env: NodeJS.ProcessEnv
  timeoutMs: number
  /** Between the first signal and KILL. */
  graceMs: number
  /** The signal sent first, with TERM later in the same grace. */
  stopSignal?: 'INT' | undefined
  /** Found in the environment of every process of the run: a list, since loops run in loops. */
  marker: string
  /** The variable it is found in. `LOOP_HOOK`: the command acts for the user, and is no run of an agent. */
  mark?: 'LOOP_HOOK'
}

const shim = join(import.meta.dirname, 'shim.sh')
const claimMs = 10_000
const goneMs = 10_000
/** Of the grace, for the command to end by its own stop signal before it gets TERM. */
const firstShare = 0.6

/** `exitCode`: of the shim, which is that of the command; null when it was killed. */
type Launched = { identity: RunIdentity | null; exitCode: Promise<number | null> }

/**
 * Starts the shim and resolves once the run is claimed, by it or by another one. Safe to call twice.
 * The child is a session of its own and is not waited for: it outlives this program.
 */
export async function launch(run: Launch, here: Here): Promise<Result<Launched>> {
  const gone = placesOf(run).find(path => !existsSync(path))
  if (gone !== undefined) return fail('step-failed', `the directory ${gone} is gone; put it back`)
  if (run.mounts && containment(run.env) === 'group') {
    const why = 'the working copy is to be mounted, and no mount namespace is permitted here any more'
    return fail('step-failed', `${why}; permit them (loop doctor), or start again with copy_setup`)
  }
  // Before it starts: a quick command can remove the claim before this process has its turn again.
  const doorbell = watchRun(run.dir)
  const child = spawnedShim(run, here, doorbell)
  const exitCode = new Promise<number | null>(resolve => {
    child.once('exit', resolve)
    child.once('error', () => resolve(null))
  })
  const ended = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', code => resolve(`the shim ended with ${code}`))
  })
  child.unref()
  const why = await knownOr(run.dir, doorbell, ended)
  if (why !== null) return fail('step-failed', `${why}${shimSaid(run.dir)}`)
  return ok({ identity: await recognize(run, child.pid ?? 0), exitCode })
}

function placesOf({ cwd, mounts }: Launch): string[] {
  return mounts ? mounts.flatMap(({ at, lower, upper }) => [at, upper, ...lower]) : [cwd]
}

function spawnedShim(run: Launch, here: Here, doorbell: Doorbell): ChildProcess {
  try {
    return spawnShim(run, here)
  } catch (error) {
    doorbell.close()
    throw error
  }
}

function spawnShim(run: Launch, here: Here): ChildProcess {
  const seconds = (ms: number) => (ms / 1_000).toFixed(3)
  // The grace is for both signals together.
  const firstMs = run.stopSignal ? run.graceMs * firstShare : 0
  const limits = [seconds(run.timeoutMs), seconds(run.graceMs - firstMs)]
  const mode = containment(run.env)
  const { mounts } = run
  const argv = mounts ? mounting(mode, { ...run, mounts }) : run.argv
  const args = [shim, mode, run.dir, ...limits, here.boot, here.ns, '--', ...argv]
  const entry = entering(mode, mounts !== undefined)
  const [program, ...rest] = [...entry, '/bin/sh', ...args] as [string, ...string[]]
  const mark = run.mark ?? 'LOOP_RUN'
  // Made here so that they are nobody else's to read; the command has the umask of the user.
  for (const name of ['out', 'err']) closeSync(openSync(join(run.dir, name), 'a', 0o600))
  const log = openSync(join(run.dir, 'shim'), 'a', 0o600)
  const proc = openSync('/proc', 'r')
  try {
    return spawn(program, rest, {
      cwd: mounts ? '/' : run.cwd,
      env: {
        ...run.env,
        [mark]: [run.marker, run.env[mark]].filter(Boolean).join(' '),
        LOOP_STOP: run.stopSignal && `${run.stopSignal} ${seconds(firstMs)}`,
      },
      detached: true,
      stdio: ['ignore', 'ignore', log, proc],
    })
  } finally {
    closeSync(log)
    closeSync(proc)
  }
}

/**
 * Who has claimed the run. Believed when it is the process we started ourselves, or one that is alive and
 * carries the mark of this run; else it is said to be unverified. Null when the claim does not read as one.
 */
export async function recognize(
  run: { dir: string; marker: string },
  started: number,
): Promise<RunIdentity | null> {
  await untilNot(() => isTaciturn(run.dir), claimMs)
  const identity = identify(run.dir)
  if (!identity) return null
  const { shim: claimer, inner } = identity
  const mine = claimer.pid === started && (procOf(started)?.start ?? claimer.start) === claimer.start
  const marked = isAlive(claimer) && isMarked(claimer.pid, run.marker)
  // In this order: one that ends meanwhile shows no mark, and is then seen to be gone.
  const innerMarked = inner !== null && (isMarked(inner.pid, run.marker) || !isAlive(inner))
  return { ...identity, verified: (mine || marked) && innerMarked }
}

/** What the shim itself complained about, to be put behind a sentence; mostly nothing. */
export function shimSaid(dir: string): string {
  const log = join(dir, 'shim')
  const said = existsSync(log) ? readFileSync(log, 'utf8').trim().slice(-500) : ''
  return said ? `: ${said}` : ''
}

/** Null once the run is claimed and has said who it is; else why it never will be. */
async function knownOr(dir: string, doorbell: Doorbell, ended: Promise<string>): Promise<string | null> {
  const deadline = performance.now() + claimMs
  // A claim that was there is one, though the command may have removed it since.
  const isTaken = () => isClaimed(dir) || doorbell.rungBy.has('claim')
  try {
    while (!isTaken()) {
      const why = await Promise.race([ended, doorbell.ring(50)])
      if (why && !isTaken()) return why
      if (performance.now() > deadline) return `the shim did not claim the run within ${claimMs / 1_000}s`
    }
    while (isTaciturn(dir) && performance.now() < deadline) await doorbell.ring(50)
    return null
  } finally {
    doorbell.close()
  }
}

/** Claimed and alive, but it has not said yet which process to signal: it is about to. */
function isTaciturn(dir: string): boolean {
  const identity = identify(dir)
  return identity !== null && identity.inner === null && isAlive(identity.shim) && !readExit(dir)
}

/** What is known about a run from here. */
export function lookAtRun(run: Handle): RunFiles {
  const identity = run.identity ?? identify(run.dir)
  // In this order: a run writes its exit file before it dies, so what is dead and has none never had one.
  const alive = identity !== null && lives(run, identity)
  return { claimed: run.identity !== null || isClaimed(run.dir), exited: readExit(run.dir) !== null, alive }
}

function lives({ dir, here }: Handle, identity: RunIdentity): boolean {
  if (identity.boot !== here.boot) return false
  if (isElsewhere(identity, here)) return !identity.locked || isLocked(join(dir, 'claim'))
  return isAlive(identity.shim) || (identity.inner !== null && isAlive(identity.inner))
}

/** In another PID namespace: alive or not is for the kernel to say, and nothing there can be signalled. */
export function isElsewhere(identity: RunIdentity, here: Here): boolean {
  return identity.boot === here.boot && identity.ns !== here.ns
}

function isLocked(file: string): boolean {
  return spawnSync('flock', ['--nonblock', file, 'true'], { stdio: 'ignore' }).status === 1
}

type Doorbell = {
  ring(ms: number, signal?: AbortSignal): Promise<null>
  /** The names of the files that rang. */
  rungBy: Set<string | null>
  close(): void
}

/** Rings when the run is claimed or ends, when aborted, and after `ms` at the latest. Watching is only a hint. */
export function watchRun(dir: string): Doorbell {
  let rung = false
  const rungBy = new Set<string | null>()
  let wake = () => {}
  let watcher: ReturnType<typeof watch> | null = null
  try {
    // A claimed run rings by writing to its claim; the directory would ring for every line of output.
    const claim = join(dir, 'claim')
    watcher = watch(existsSync(claim) ? claim : dir, (_, name) => {
      rung = true
      rungBy.add(name)
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
    rungBy,
    close: () => watcher?.close(),
  }
}

/**
 * TERM, then up to `graceMs` for the command to end; a run not yet claimed will never start. `clear` kills. The shim
 * turns TERM into the stop signal of the command, so that hosts and shims of all versions understand each other.
 */
export async function stopRunning(run: Handle, graceMs: number): Promise<void> {
  if (!run.identity && claimForNobody(run.dir)) return
  const identity = run.identity ?? identify(run.dir)
  const target = identity?.inner ?? identity?.shim
  if (!target || !lookAtRun(run).alive || !isOurs(target, run, identity)) return
  signalProcess(target, 'SIGTERM')
  await untilNot(() => readExit(run.dir) === null && lookAtRun(run).alive, graceMs)
}

/** Leaves nothing of the run alive. Says what was killed, what may be left, and what refuses to die. */
export async function clear(run: Handle): Promise<Swept> {
  const identity = run.identity ?? identify(run.dir)
  if (!identity) return sweep({ ...run, identity })
  if (identity.boot !== run.here.boot) return { killed: null, alive: [], suspects: [] }
  if (isElsewhere(identity, run.here)) {
    const elsewhere = { pid: identity.shim.pid, command: 'in another PID namespace, out of sight' }
    return { killed: null, alive: [], suspects: identity.mode === 'group' ? [elsewhere] : [] }
  }
  if (identity.mode === 'group') return sweep({ ...run, identity })
  const alive = await endNamespace(run, identity)
  if (identity.verified || alive.length > 0) return { killed: null, alive, suspects: [] }
  return sweep({ ...run, identity })
}

/** Once verified, the pid and start time are proof: an agent of root can erase the mark. */
function isOurs(process: ProcessIdentity, { marker }: Handle, identity: RunIdentity | null): boolean {
  return isAlive(process) && (identity?.verified === true || isMarked(process.pid, marker))
}

/** When process 1 of a namespace is gone, so is everything in it. */
async function endNamespace(run: Handle, identity: RunIdentity): Promise<Swept['alive']> {
  const named = [identity.inner, identity.shim].filter(process => process !== null)
  // With its exit file written it is about to end by itself; without, it has to be killed.
  if (readExit(run.dir)) await untilNot(() => named.some(isAlive), 1_000)
  // Asked before the kill: a dying process shows its mark no more, but is not gone yet.
  const ours = named.filter(process => isOurs(process, run, identity))
  for (const process of ours) signalProcess(process, 'SIGKILL')
  await untilNot(() => ours.some(isAlive), goneMs)
  return ours.filter(isAlive).map(({ pid }) => ({ pid, command: 'process 1 of the run' }))
}
