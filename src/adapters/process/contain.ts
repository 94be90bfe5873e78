/**
 * How a run is contained. A PID namespace is the only thing a process can not leave, so it is used wherever
 * the system permits one; elsewhere runs are found by session, process group, descent and a marker in their
 * environment. Tried once per program, since what is permitted can not be known without trying.
 */
import { spawnSync } from 'node:child_process'
import { type Containment, containments } from '../../model/run.ts'

let known: Containment | null = null

export function containment(env: NodeJS.ProcessEnv): Containment {
  known ??= chosen(env['LOOP_CONTAIN']) ?? probe()
  return known
}

/** By hand, for systems where a namespace is in the agent's way (sudo and ssh in a user namespace). */
function chosen(name: string | undefined): Containment | null {
  return containments.find(candidate => candidate === name) ?? null
}

function probe(): Containment {
  const unshare = ['--pid', '--fork', '--kill-child', '--propagation', 'slave', '--mount-proc', 'true']
  const works = (extra: string[]) =>
    spawnSync('unshare', [...extra, ...unshare], { stdio: 'ignore' }).status === 0
  if (process.getuid?.() === 0 && works([])) return 'namespace'
  return works(['--user', '--map-current-user']) ? 'user-namespace' : 'group'
}
