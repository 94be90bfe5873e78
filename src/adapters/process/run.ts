/**
 * One run of a command under the shim: launch it, look at it, wait for it, stop it, make sure that nothing is left.
 * The host only reads files and sends signals; no data flows through it, so that its death does not disturb the
 * command. Everything that loop starts and that may outlive the host (agents, promises, hooks) runs this way.
 */
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, watch } from 'node:fs'
import { dirname, join, resolve as resolvePath } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Process } from '../../model/loop/event.ts'
import type { ProcessIdentity, RunFiles, RunIdentity } from '../../model/run.ts'
import type { Here, Proc } from '../../platform/contract.ts'
import { isAlive, platform, signalProcess } from '../../platform/platform.ts'
import { containment, maySandbox } from './contain.ts'
import { claimForNobody, identify, isClaimed, readExit } from './files.ts'
import { type Launch, spawnShim } from './shim.ts'

/** A run as its host knows it: the directory of its files, the mark of its processes, and its identity once known. */
export type Handle = {
  dir: string
  marker: string
  tree: string
  here: Here
  identity: RunIdentity | null
}

/** Long: a machine that is busy with many agents starts a shim late, and a shim that dies is noticed at once. */
const claimMs = 60_000
/** How long a claimed run may take to say which process to signal: on a full disk it never does. */
const knownMs = 10_000
const goneMs = 10_000

/** `exitCode`: that of the shim, which exits with the code of the command; null where the shim was killed. */
type Launched = { identity: RunIdentity | null; exitCode: Promise<number | null> }

/**
 * Starts the shim and resolves once the run is claimed, by this shim or by another one: safe to call twice.
 * The shim has a session of its own and outlives this program.
 */
export async function launch(run: Launch, here: Here): Promise<Result<Launched>> {
  const gone = placesOf(run).find(path => !existsSync(path))
  if (gone !== undefined) return fail('step-failed', { kind: 'directory-gone', path: gone })
  if (run.mounts && containment(run.env) === 'group') {
    return fail('step-failed', { kind: 'no-mounts' })
  }
  const rights = run.sandbox ? maySandbox(process.env, { network: run.sandbox.reach !== null }) : null
  if (rights && !rights.works)
    return fail('step-failed', { kind: 'sandbox-gone', why: rights.why, said: rights.said })
  // Watch before the start: a quick command can remove the claim before this process runs again.
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
  if (why !== null) return fail('step-failed', { kind: 'shim-ended', why, said: shimSaid(run.dir) })
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

/**
 * The identity of the process that claimed the run. It is `verified` where it is the process `started`, or is alive and
 * carries the mark of this run: an agent can write anything into the claim. Null where the claim does not parse.
 */
export async function recognize(
  run: { dir: string; marker: string },
  started: number,
): Promise<RunIdentity | null> {
  await untilNot(() => isTaciturn(run.dir), knownMs)
  const identity = identify(run.dir)
  if (!identity) return null
  const { shim: claimer, inner } = identity
  const mine =
    claimer.pid === started && (platform.processes.find(started)?.start ?? claimer.start) === claimer.start
  const marked = isAlive(claimer) && isMarked(claimer.pid, run.marker)
  // In this order: a process that ends in between shows no mark, and is then seen to be gone.
  const innerMarked = inner !== null && (isMarked(inner.pid, run.marker) || !isAlive(inner))
  return { ...identity, verified: (mine || marked) && innerMarked }
}

/** What the shim itself printed to stderr, to be appended to a sentence; mostly empty. */
export function shimSaid(dir: string): string {
  const log = join(dir, 'shim')
  return existsSync(log) ? readFileSync(log, 'utf8').trim().slice(-500) : ''
}

/** Waits until the run is claimed and its identity complete: null. Else the reason why it will not be. */
async function knownOr(dir: string, doorbell: Doorbell, ended: Promise<string>): Promise<string | null> {
  const deadline = performance.now() + claimMs
  // A claim counts even if the command has removed it since.
  const isTaken = () => isClaimed(dir) || doorbell.rungBy.has('claim')
  try {
    while (!isTaken()) {
      const why = await Promise.race([ended, doorbell.ring(50)])
      if (why && !isTaken()) return why
      if (performance.now() > deadline) return `the shim did not claim the run within ${claimMs / 1_000}s`
    }
    const known = performance.now() + knownMs
    while (isTaciturn(dir) && performance.now() < known) await doorbell.ring(50)
    return null
  } finally {
    doorbell.close()
  }
}

/** Is the shim alive but has not written yet which process to signal? It is about to. */
function isTaciturn(dir: string): boolean {
  const identity = identify(dir)
  return identity !== null && identity.inner === null && isAlive(identity.shim) && !readExit(dir)
}

/** What the files and processes of a run tell at this moment. */
export function lookAtRun(run: Handle): RunFiles {
  const identity = run.identity ?? identify(run.dir)
  // In this order: a shim writes the exit file before it ends, so a dead one without exit file never wrote it.
  const alive = identity !== null && lives(run, identity)
  return { claimed: run.identity !== null || isClaimed(run.dir), exited: readExit(run.dir) !== null, alive }
}

function lives({ dir, here }: Handle, identity: RunIdentity): boolean {
  if (identity.boot !== here.boot) return false
  if (isElsewhere(identity, here)) return !identity.locked || platform.locks.isHeld(join(dir, 'claim'))
  return isAlive(identity.shim) || (identity.inner !== null && isAlive(identity.inner))
}

/** Is the run in another PID namespace? Then only the lock on its claim tells whether it lives; no signal reaches it. */
export function isElsewhere(identity: RunIdentity, here: Here): boolean {
  return identity.boot === here.boot && identity.ns !== here.ns
}

type Doorbell = {
  ring(ms: number, signal?: AbortSignal): Promise<null>
  /** The names of the files that changed. */
  rungBy: Set<string | null>
  close(): void
}

/**
 * A doorbell for a run: `ring` resolves when the run is claimed or ends, when aborted, and after `ms` at the latest.
 * Watching is only a hint: the caller looks at the files itself.
 */
export function watchRun(dir: string): Doorbell {
  let rung = false
  const rungBy = new Set<string | null>()
  let wake = () => {}
  let watcher: ReturnType<typeof watch> | null = null
  try {
    // A shim writes to its claim when it ends. Watching the directory would ring for every line of output.
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
        if (rung || signal?.aborted) wake() // it rang while nobody waited
      }),
    rungBy,
    close: () => watcher?.close(),
  }
}

/**
 * Sends TERM to the run and waits up to `graceMs` for its end; a run that is not claimed yet will never start. The
 * shim turns TERM into the stop signal of the command, so that hosts and shims of all versions understand each
 * other. What is left after that is killed by `clear`.
 */
export async function stopRunning(run: Handle, graceMs: number): Promise<void> {
  if (!run.identity && claimForNobody(run.dir)) return
  const identity = run.identity ?? identify(run.dir)
  const target = identity?.inner ?? identity?.shim
  if (!target || !lookAtRun(run).alive || !isOurs(target, run, identity)) return
  signalProcess(target, 'SIGTERM')
  await untilNot(() => readExit(run.dir) === null && lookAtRun(run).alive, graceMs)
}

/** Kills whatever is left of the run. Returns what was killed, what may be left, and what could not be killed. */
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

/** A verified identity is enough: an agent that is root can erase the mark of its processes. */
function isOurs(process: ProcessIdentity, { marker }: Handle, identity: RunIdentity | null): boolean {
  return isAlive(process) && (identity?.verified === true || isMarked(process.pid, marker))
}

/** Kills process 1 of the namespace; the kernel then kills everything in it. Returns what is still alive. */
async function endNamespace(run: Handle, identity: RunIdentity): Promise<Swept['alive']> {
  const processes = [identity.inner, identity.shim].filter(process => process !== null)
  // With an exit file the shim is about to end by itself.
  if (readExit(run.dir)) await untilNot(() => processes.some(isAlive), 1_000)
  // Before the kill: a dying process shows no mark any more, but is not gone yet.
  const ours = processes.filter(process => isOurs(process, run, identity))
  for (const process of ours) signalProcess(process, 'SIGKILL')
  await untilNot(() => ours.some(isAlive), goneMs)
  return ours.filter(isAlive).map(({ pid }) => ({ pid, command: 'process 1 of the run' }))
}

/**
 * Finds and kills the processes of a run that has no namespace, or whose files cannot be believed. They are found by
 * the mark in their environment, by session, by process group and by descent. A process that has left all four cannot
 * be found; processes that were started during the run and stand in its tree are reported as suspects, never killed.
 */

type Swept = { killed: number | null; alive: Process[]; suspects: Process[] }

const killMs = 10_000
const shimMs = 1_000

type Sought = { dir: string; tree: string; identity: RunIdentity | null; marker: string }

async function sweep(run: Sought): Promise<Swept> {
  // A shim that has written its exit file is about to end by itself: do not count it as left over.
  const shim = run.identity?.shim
  if (shim && readExit(run.dir)) await untilNot(() => isAlive(shim), shimMs)
  const child = run.identity?.mode === 'group' ? run.identity.child : 0
  const killed = new Map<number, Proc>()
  const deadline = performance.now() + killMs
  let alive = members(run, child)
  while (alive.length > 0 && performance.now() < deadline) {
    for (const proc of alive) if (signalProcess(proc, 'SIGKILL')) killed.set(proc.pid, proc)
    await delay(5)
    // Dying processes show no mark any more, but are not gone yet.
    alive = [...members(run, child), ...[...killed.values()].filter(isAlive)]
  }
  return { killed: killed.size, alive: alive.map(named), suspects: suspects(run) }
}

function members(run: Sought, child: number): Proc[] {
  const procs = platform.processes.all().filter(proc => proc.pid !== process.pid)
  const marked = new Set(procs.filter(proc => isMarked(proc.pid, run.marker)).map(proc => proc.pid))
  // The number of a session is not used again while a process is in it. So if a process without our mark has the
  // number of the command now, the session had ended, and its number means somebody else.
  const leader = procs.find(proc => proc.pid === child)
  const session = child > 0 && (!leader || marked.has(child)) ? child : null
  const mine = new Set(marked)
  if (run.identity?.verified && isAlive(run.identity.shim)) mine.add(run.identity.shim.pid)
  for (const proc of procs) {
    if (session !== null && (proc.session === session || proc.group === session)) mine.add(proc.pid)
  }
  let before = -1
  while (before !== mine.size) {
    before = mine.size
    for (const proc of procs) if (mine.has(proc.ppid)) mine.add(proc.pid)
  }
  return procs.filter(proc => mine.has(proc.pid))
}

/** Was the process started by this run, or by something in it? A marker `id/` stands for every run of a loop. */
function isMarked(pid: number, marker: string): boolean {
  const marks = ['LOOP_RUN', 'LOOP_HOOK'].flatMap(
    name => platform.processes.variable(pid, name)?.split(' ') ?? [],
  )
  return marks.some(mark => mark === marker || (marker.endsWith('/') && mark.startsWith(marker)))
}

function suspects(run: Sought): Process[] {
  const since = run.identity?.shim.start ?? Number.POSITIVE_INFINITY
  return platform.processes
    .all()
    .filter(proc => proc.pid !== process.pid && proc.start >= since && !isCommandOfOurs(proc.pid))
    .filter(proc => {
      const cwd = platform.processes.cwd(proc.pid)
      return cwd === run.tree || (cwd?.startsWith(`${run.tree}/`) ?? false)
    })
    .map(named)
}

/** A command of loop itself, such as the user's `loop cancel`: it stands in the work tree and began after the run. */
function isCommandOfOurs(pid: number): boolean {
  const [, own] = process.argv
  const [, program] = platform.processes.argv(pid)
  return own !== undefined && program !== undefined && dirname(own) === dirname(resolvePath('/', program))
}

function named({ pid, command }: Proc): Process {
  return { pid, command }
}

/** Polls a condition for a short while: for changes that are about to happen and that no event announces. */

/** Resolves when the condition is false, or after `ms`. */
async function untilNot(condition: () => boolean, ms: number): Promise<void> {
  const deadline = performance.now() + ms
  while (condition() && performance.now() < deadline) await delay(2)
}
