/** The sandbox of one command of a loop: its agent, its promise, its measures. Hooks of the user run without one. */
import { closeSync, existsSync, openSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import type { Agent } from '../../adapters/agents/agent.ts'
import { liesIn, type OwnFiles, sandboxLayers } from '../../adapters/process/sandbox-layers.ts'
import type { Sandboxed } from '../../adapters/process/shim.ts'
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
  /** The hosts of its model, for an agent. What the agent has written gets to the hosts of the user only. */
  provider?: readonly string[]
  /** Parts of loop's data that the command may see. */
  files?: SandboxLayer[]
}

/** Undefined if the loop has no sandbox. */
export function sandboxOf(
  { spec, cwd, mounts = [], env, own = null, provider = [], files = [] }: Inside,
  world: World,
): Result<Sandboxed | undefined> {
  if (spec.sandbox?.level !== 'files') return ok(undefined)
  const { data } = world.store.paths
  const shown = [...files, ...placesIn(data, env)]
  const onDisk = mounts.find(({ at }) => at === cwd)?.upper ?? cwd
  const writable = spec.sandbox.write ?? []
  // With the whole environment of loop: a socket is hidden even if the command does not get the variable that names it.
  const known = { ...world.env, ...env }
  const home = world.env['HOME'] || homedir()
  const layers = sandboxLayers({ tree: cwd, onDisk, env: known, home, data, writable, own, files: shown })
  const { network } = spec.sandbox
  return layers.ok ? ok({ layers: layers.value, reach: network ? [...network, ...provider] : null }) : layers
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

type Started = { spec: Pick<Spec, 'agent' | 'agentCmd'>; env: NodeJS.ProcessEnv }

/** The files that the agent keeps. */
export function ownFilesOf({ spec, env }: Started, agents: World['agents']): OwnFiles | null {
  return agents[spec.agent].own?.(env) ?? agentMeant(spec, agents)?.own?.(env) ?? null
}

/** The hosts of the agent's model. */
export function providerOf({ spec, env }: Started, agents: World['agents']): string[] {
  return (agentMeant(spec, agents) ?? agents[spec.agent]).provider?.(env) ?? []
}

/** The agent whose program a command starts. */
function agentMeant({ agentCmd }: Started['spec'], agents: World['agents']): Agent | undefined {
  const [program = ''] = agentCmd.trim().split(/\s/)
  return Object.values(agents).find(({ program: known }) => known?.names.includes(basename(program)))
}
