/**
 * How the runs of this program are contained: as LOOP_CONTAIN says, else by the strongest means the system permits
 * (platform/contract). Found out once, because that starts programs.
 */
import { type Containment, containments } from '../../model/run.ts'
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
