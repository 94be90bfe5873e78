/**
 * How the runs of this program are contained, and whether they can have mounts and a sandbox: as LOOP_CONTAIN says, else
 * by the strongest means the system permits (platform/contract). Found out once, because that starts programs.
 */
import { type Containment, containments } from '../../model/run.ts'
import type { MountRights, SandboxRights } from '../../platform/contract.ts'
import { platform } from '../../platform/platform.ts'

let known: Containment | null = null

export function containment(env: NodeJS.ProcessEnv): Containment {
  known ??= chosen(env['LOOP_CONTAIN']) ?? platform.runs.strongest()
  return known
}

/** Set by hand where a namespace is in the agent's way: sudo and ssh do not work in a user namespace. */
function chosen(name: string | undefined): Containment | null {
  return containments.find(candidate => candidate === name) ?? null
}

/** Whether a run can be put into a sandbox here. The platform is asked once, because that starts programs. */
const knownSandboxes = new Map<string, SandboxRights>()

/** `network`: with one of its own. */
export function maySandbox(env: NodeJS.ProcessEnv, { network }: { network: boolean }): SandboxRights {
  const path = env['PATH'] ?? ''
  const key = `${network} ${path}`
  const rights = knownSandboxes.get(key) ?? platform.runs.sandboxRights(containment(env), { path, network })
  // A failure is not cached: it may be repaired while loopd runs.
  if (rights.works) knownSandboxes.set(key, rights)
  return rights
}

/** Which mounts are possible for a run. The platform is asked once for each place, because that starts programs. */
const knownMounts = new Map<string, MountRights>()

/** `place`: the directory that working copies are made in. */
export function mayMount(place: string, env: NodeJS.ProcessEnv): MountRights {
  const rights = knownMounts.get(place) ?? platform.runs.mountRights(place, containment(env))
  knownMounts.set(place, rights)
  return rights
}
