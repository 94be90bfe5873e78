/** Which mounts are possible for a run. The platform is asked once for each place, because that starts programs. */
import type { MountRights } from '../../platform/contract.ts'
import { platform } from '../../platform/platform.ts'
import { containment } from './contain.ts'

const known = new Map<string, MountRights>()

/** `place`: the directory that working copies are made in. */
export function mayMount(place: string, env: NodeJS.ProcessEnv): MountRights {
  const rights = known.get(place) ?? platform.runs.mountRights(place, containment(env))
  known.set(place, rights)
  return rights
}
