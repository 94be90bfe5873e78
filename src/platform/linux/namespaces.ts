/** The command line by which a program becomes the first process of a PID namespace of its own. */
import type { RunContainment } from '../contract.ts'

/**
 * To be put before the command. `mounts`: the program may mount in its namespace; a plain user needs the rights of
 * the user namespace for that, which mount.sh gives up before the command.
 */
export function entering(mode: RunContainment, mounts = false): string[] {
  if (mode === 'group') return []
  const rights = mounts ? ['--keep-caps'] : []
  const user = mode === 'user-namespace' ? ['--user', '--map-current-user', ...rights] : []
  return ['unshare', ...user, '--pid', '--fork', '--kill-child', '--propagation', 'slave', '--mount-proc']
}
