/** Whether a run can be put into a sandbox here. The platform is asked once, because that starts programs. */
import type { SandboxRights } from '../../platform/contract.ts'
import { platform } from '../../platform/platform.ts'
import { containment } from './contain.ts'

const known = new Map<string, SandboxRights>()

export function maySandbox(env: NodeJS.ProcessEnv): SandboxRights {
  const path = env['PATH'] ?? ''
  const rights = known.get(path) ?? platform.runs.sandboxRights(containment(env), path)
  // A failure is not cached: it may be repaired while loopd runs.
  if (rights.works) known.set(path, rights)
  return rights
}
