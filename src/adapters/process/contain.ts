/**
 * How a run is contained. A PID namespace is the only thing a process cannot leave, so it is used wherever
 * the system permits one; elsewhere runs are found by session, process group, descent and a marker in their
 * environment. Tried once per program, since what is permitted cannot be known without trying.
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
  const works = (mode: Containment) => {
    const [unshare = '', ...args] = [...entering(mode), 'true']
    return spawnSync(unshare, args, { stdio: 'ignore' }).status === 0
  }
  if (process.getuid?.() === 0 && works('namespace')) return 'namespace'
  return works('user-namespace') ? 'user-namespace' : 'group'
}

/**
 * The command line before a program that makes it process 1 of a namespace. `mounts`: it may mount there, which a user
 * may only with the rights of the user namespace; mount.sh gives them up before the command.
 */
export function entering(mode: Containment, mounts = false): string[] {
  if (mode === 'group') return []
  const rights = mounts ? ['--keep-caps'] : []
  const user = mode === 'user-namespace' ? ['--user', '--map-current-user', ...rights] : []
  return ['unshare', ...user, '--pid', '--fork', '--kill-child', '--propagation', 'slave', '--mount-proc']
}
