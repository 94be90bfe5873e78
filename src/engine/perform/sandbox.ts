/**
 * The sandbox of one command of a loop: its agent, its promise, what is measured of it. What the user has run after
 * the end (hooks) is the user's own and has none.
 */
import { closeSync, existsSync, openSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Agent } from '../../adapters/agents/agent.ts'
import { liesIn, type OwnFiles, sandboxLayers } from '../../adapters/process/sandbox-layers.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Mount, Spec } from '../../model/loop/spec.ts'
import type { SandboxLayer } from '../../platform/contract.ts'
import type { World } from '../world.ts'

type Inside = {
  spec: Pick<Spec, 'sandbox'>
  /** Where it stands, as it sees it, and where that is, if it is a copy that is mounted there. */
  cwd: string
  mounts?: readonly Mount[] | undefined
  env: NodeJS.ProcessEnv
  own?: OwnFiles | null
  /** What it may see of the data of loop. */
  files?: SandboxLayer[]
}

/** Undefined where the loop has none. */
export function sandboxOf(
  { spec, cwd, mounts = [], env, own = null, files = [] }: Inside,
  world: World,
): Result<SandboxLayer[] | undefined> {
  if (spec.sandbox?.level !== 'files') return ok(undefined)
  const { data } = world.store.paths
  const shown = [...files, ...placesIn(data, env)]
  const onDisk = mounts.find(({ at }) => at === cwd)?.upper ?? cwd
  const writable = spec.sandbox.write ?? []
  // What is kept from it by its environment, such as the name of a socket, is there all the same.
  const known = { ...world.env, ...env }
  return sandboxLayers({ tree: cwd, onDisk, env: known, data, writable, own, files: shown })
}

/** Of a member of a group, and of a second look: what their environment names in the data is theirs. */
function placesIn(data: string, env: NodeJS.ProcessEnv): SandboxLayer[] {
  const output = env['LOOP_OUTPUT_FILE']
  // Something must be there to be written to; empty, it counts as nothing.
  if (output && liesIn(output, data)) closeSync(openSync(output, 'a', 0o600))
  return ['HOME', 'TMPDIR', 'LOOP_OUTPUT_FILE'].flatMap(name => {
    const at = env[name]
    return at && liesIn(at, data) && existsSync(at) ? [{ at, as: 'writable' as const }] : []
  })
}

/** In the directory of a run: what its agent writes for loop. Without a sandbox that is the directory itself. */
const ownDirectory = 'agent'

export function agentsPlace(dir: string, isSandboxed: boolean): string {
  return isSandboxed ? join(dir, ownDirectory) : dir
}

/** A file that the agent has left for loop, wherever it was told to. */
export function leftByAgent(dir: string, name: string): string {
  return join(agentsPlace(dir, existsSync(join(dir, ownDirectory))), name)
}

/** What the agent keeps; of a command of the user's, what the agent keeps whose program it begins with. */
export function ownFilesOf(
  { spec, env }: { spec: Pick<Spec, 'agent' | 'agentCmd'>; env: NodeJS.ProcessEnv },
  agents: World['agents'],
): OwnFiles | null {
  const own = agents[spec.agent].own
  if (own) return own(env)
  const [program = ''] = spec.agentCmd.trim().split(/\s/)
  const isMeant = (agent: Agent) => agent.program?.names.includes(basename(program)) ?? false
  return Object.values(agents).find(isMeant)?.own?.(env) ?? null
}
