/**
 * The environment of the programs that loop starts in a work tree for an agent: its runs, and the commands that judge
 * or prepare its work. Hooks act for the user and get the whole environment.
 */
import { keysOf } from '../../adapters/agents/agent.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { reached, reachOf } from '../../secrets/environment.ts'
import type { World } from '../world.ts'

type Place = Pick<World, 'env'>

/** For a promise: with the keys of all agents of the loop, so that it is the same whichever agent works. */
export function promiseEnv({ env }: Place, spec: Spec): NodeJS.ProcessEnv {
  return { ...reached(env, reachOf(spec, keysIn(env, spec))).env, ...spec.env }
}

/** For an agent: with its own keys only. */
export function agentRunEnv({ env }: Place, spec: Spec, agent: Spec['agent']): NodeJS.ProcessEnv {
  const keys = keysIn(env, spec)
  const reach = reachOf(spec, name => (name === agent ? keys(name) : []))
  return { ...reached(env, reach).env, ...spec.env }
}

function keysIn(env: NodeJS.ProcessEnv, { model }: Spec): (agent: Spec['agent']) => string[] {
  return name => keysOf(name, { env, model })
}

/** For a command of a group that is no hook: with the variables that any of its loops passes on. */
export function commandEnv({ env }: Place, spec: GroupSpec, command: string): NodeJS.ProcessEnv {
  const loops = [
    ...(spec.bestOf ? [spec.bestOf.loop] : []),
    ...(spec.workflow?.loops ?? []).map(loop => loop.spec),
    ...(spec.plan ? [spec.plan.loop] : []),
  ]
  const pass = [...new Set(loops.flatMap(({ passEnv = [] }) => passEnv))]
  return reached(env, { pass, own: [], commands: [command] }).env
}
