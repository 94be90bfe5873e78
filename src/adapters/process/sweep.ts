/**
 * Finding and killing the processes of a run that has no namespace: by the marker in their environment, by
 * session, by process group and by descent. A process that has left all four can not be found; those of the
 * same user that were started during the run and stand in its directory are named, never killed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Process } from '../../model/event.ts'
import { type Claim, readPid } from './files.ts'
import { allProcs, cwdOf, hasVariable, type Proc, signalProcess } from './proc.ts'

export type Swept = { killed: number | null; alive: Process[]; suspects: Process[] }

const killMs = 10_000

export type Sought = { dir: string; tree: string; claim: Claim; marker: string }

export async function sweep(run: Sought): Promise<Swept> {
  const child = readPid(run.dir)?.child ?? 0
  const killed = new Set<number>()
  const deadline = performance.now() + killMs
  let alive = members(run, child)
  while (alive.length > 0 && performance.now() < deadline) {
    for (const proc of alive) if (signalProcess(proc, 'SIGKILL')) killed.add(proc.pid)
    await delay(5)
    alive = members(run, child)
  }
  return { killed: killed.size, alive: alive.map(named), suspects: suspects(run) }
}

function members(run: Sought, child: number): Proc[] {
  const procs = allProcs().filter(proc => proc.pid !== process.pid)
  const mine = new Set<number>()
  for (const proc of procs) {
    const byGroup =
      child > 0 && (proc.session === child || proc.group === child) && proc.start >= run.claim.start
    const isShim = proc.pid === run.claim.pid && proc.start === run.claim.start
    if (byGroup || isShim || hasVariable(proc.pid, `LOOP_RUN=${run.marker}`)) mine.add(proc.pid)
  }
  let before = -1
  while (before !== mine.size) {
    before = mine.size
    for (const proc of procs) if (mine.has(proc.ppid)) mine.add(proc.pid)
  }
  return procs.filter(proc => mine.has(proc.pid))
}

function suspects(run: Sought): Process[] {
  return allProcs()
    .filter(proc => proc.pid !== process.pid && proc.start >= run.claim.start)
    .filter(proc => {
      const cwd = cwdOf(proc.pid)
      return cwd === run.tree || (cwd?.startsWith(`${run.tree}/`) ?? false)
    })
    .map(named)
}

function named({ pid, command }: Proc): Process {
  return { pid, command }
}
