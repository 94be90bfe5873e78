/**
 * Finding and killing the processes of a run that has no namespace, or whose files cannot be believed: by the marker in their environment, by
 * session, by process group and by descent. A process that has left all four cannot be found; those of the
 * same user that were started during the run and stand in its directory are named, never killed.
 */
import { dirname, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Process } from '../../model/loop/event.ts'
import type { RunIdentity } from '../../model/run.ts'
import { readExit } from './files.ts'
import { untilNot } from './patience.ts'
import { allProcs, argvOf, cwdOf, isAlive, type Proc, signalProcess, variableOf } from './proc.ts'

export type Swept = { killed: number | null; alive: Process[]; suspects: Process[] }

const killMs = 10_000
const shimMs = 1_000

type Sought = { dir: string; tree: string; identity: RunIdentity | null; marker: string }

export async function sweep(run: Sought): Promise<Swept> {
  // A shim that has written its exit file is about to end by itself: it is not a leftover.
  const shim = run.identity?.shim
  if (shim && readExit(run.dir)) await untilNot(() => isAlive(shim), shimMs)
  const child = run.identity?.mode === 'group' ? run.identity.child : 0
  const killed = new Map<number, Proc>()
  const deadline = performance.now() + killMs
  let alive = members(run, child)
  while (alive.length > 0 && performance.now() < deadline) {
    for (const proc of alive) if (signalProcess(proc, 'SIGKILL')) killed.set(proc.pid, proc)
    await delay(5)
    // Those that are dying show their mark no more, but are not gone yet.
    alive = [...members(run, child), ...[...killed.values()].filter(isAlive)]
  }
  return { killed: killed.size, alive: alive.map(named), suspects: suspects(run) }
}

function members(run: Sought, child: number): Proc[] {
  const procs = allProcs().filter(proc => proc.pid !== process.pid)
  const marked = new Set(procs.filter(proc => isMarked(proc.pid, run.marker)).map(proc => proc.pid))
  // A session keeps its number while anybody is in it; a stranger with the number of the command means that
  // nobody was, and that the number has been given out again.
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

/** Whether the process was started by this run, or by something in it; `id/` stands for every run of a loop. */
export function isMarked(pid: number, marker: string): boolean {
  const marks = ['LOOP_RUN', 'LOOP_HOOK'].flatMap(name => variableOf(pid, name)?.split(' ') ?? [])
  return marks.some(mark => mark === marker || (marker.endsWith('/') && mark.startsWith(marker)))
}

function suspects(run: Sought): Process[] {
  const since = run.identity?.shim.start ?? Number.POSITIVE_INFINITY
  return allProcs()
    .filter(proc => proc.pid !== process.pid && proc.start >= since && !isCommandOfOurs(proc.pid))
    .filter(proc => {
      const cwd = cwdOf(proc.pid)
      return cwd === run.tree || (cwd?.startsWith(`${run.tree}/`) ?? false)
    })
    .map(named)
}

/** The user's `loop cancel` stands in the work tree too, and began after the run. */
function isCommandOfOurs(pid: number): boolean {
  const [, own] = process.argv
  const [, program] = argvOf(pid)
  return own !== undefined && program !== undefined && dirname(own) === dirname(resolve('/', program))
}

function named({ pid, command }: Proc): Process {
  return { pid, command }
}
