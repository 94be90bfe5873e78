/** Whether a run can be put into a sandbox here. The platform is asked once, because that starts programs. */
import type { SandboxRights } from '../../platform/contract.ts'
import { platform } from '../../platform/platform.ts'
import { containment } from './contain.ts'

const known = new Map<string, SandboxRights>()

/** `network`: with one of its own. */
export function maySandbox(env: NodeJS.ProcessEnv, { network }: { network: boolean }): SandboxRights {
  const path = env['PATH'] ?? ''
  const key = `${network} ${path}`
  const rights = known.get(key) ?? platform.runs.sandboxRights(containment(env), { path, network })
  // A failure is not cached: it may be repaired while loopd runs.
  if (rights.works) known.set(key, rights)
  return rights
}
