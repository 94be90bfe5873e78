/**
 * Finds and kills the processes of a run that has no namespace, or whose files cannot be believed. They are found by
 * the mark in their environment, by session, by process group and by descent. A process that has left all four cannot
 * be found; processes that were started during the run and stand in its tree are reported as suspects, never killed.
 */
import { dirname, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Process } from '../../model/loop/event.ts'
import type { RunIdentity } from '../../model/run.ts'
import type { Proc } from '../../platform/contract.ts'
import { isAlive, signalProcess } from '../../platform/identity.ts'
import { platform } from '../../platform/platform.ts'
import { readExit } from './files.ts'
import { untilNot } from './patience.ts'

export type Swept = { killed: number | null; alive: Process[]; suspects: Process[] }

const killMs = 10_000
const shimMs = 1_000

type Sought = { dir: string; tree: string; identity: RunIdentity | null; marker: string }

export async function sweep(run: Sought): Promise<Swept> {
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
export function isMarked(pid: number, marker: string): boolean {
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
  return own !== undefined && program !== undefined && dirname(own) === dirname(resolve('/', program))
}

function named({ pid, command }: Proc): Process {
  return { pid, command }
}
