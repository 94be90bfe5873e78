/** The sandbox of one command of a loop: its agent, its promise, its measures. Hooks of the user run without one. */
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
  /** The working directory that the command sees. If a copy is mounted there, `mounts` has its real path. */
  cwd: string
  mounts?: readonly Mount[] | undefined
  env: NodeJS.ProcessEnv
  own?: OwnFiles | null
  /** Parts of loop's data that the command may see. */
  files?: SandboxLayer[]
}

/** Undefined if the loop has no sandbox. */
export function sandboxOf(
  { spec, cwd, mounts = [], env, own = null, files = [] }: Inside,
  world: World,
): Result<SandboxLayer[] | undefined> {
  if (spec.sandbox?.level !== 'files') return ok(undefined)
  const { data } = world.store.paths
  const shown = [...files, ...placesIn(data, env)]
  const onDisk = mounts.find(({ at }) => at === cwd)?.upper ?? cwd
  const writable = spec.sandbox.write ?? []
  // With the whole environment of loop: a socket is hidden even if the command does not get the variable that names it.
  const known = { ...world.env, ...env }
  return sandboxLayers({ tree: cwd, onDisk, env: known, data, writable, own, files: shown })
}

/** For a member of a group and for a second look: places in loop's data that their environment names. */
function placesIn(data: string, env: NodeJS.ProcessEnv): SandboxLayer[] {
  const output = env['LOOP_OUTPUT_FILE']
  // Something must be there to be written to; empty, it counts as nothing.
  if (output && liesIn(output, data)) closeSync(openSync(output, 'a', 0o600))
  return ['HOME', 'TMPDIR', 'LOOP_OUTPUT_FILE'].flatMap(name => {
    const at = env[name]
    return at && liesIn(at, data) && existsSync(at) ? [{ at, as: 'writable' as const }] : []
  })
}

/**
 * The directory below that of a run in which a sandboxed agent writes files for loop. Without a sandbox it is the
 * directory of the run itself.
 */
const ownDirectory = 'agent'

export function agentsPlace(dir: string, isSandboxed: boolean): string {
  return isSandboxed ? join(dir, ownDirectory) : dir
}

/** A file that the agent wrote for loop, with or without a sandbox. */
export function leftByAgent(dir: string, name: string): string {
  return join(agentsPlace(dir, existsSync(join(dir, ownDirectory))), name)
}

/** The files that the agent keeps. For a custom command, those of the agent whose program it starts. */
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
