/** What a member of a group is to do: as its program planned it, with the values that are known only when it begins. */
import { join } from 'node:path'
import { type GroupState, isKind, type NodeState } from '../../../core/group/state.ts'
import { valueIn } from '../../../core/group/values.ts'
import { fill, filledEnvironment } from '../../../core/workflow/values.ts'
import { attemptEnv } from '../../../model/attempt-env.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import type { Spec } from '../../../model/loop/spec.ts'
import { loopDir } from '../../../store/files/paths.ts'
import type { World } from '../../world.ts'
import type { GroupTask } from './steps.ts'

/** Why it is done again, and what the file says besides. */
export function toldTo({ node, reopened }: NodeState): string[] {
  return [...((node as NodeOf<'loop'>).injected ?? []), ...reopened.slice(-1)]
}

/** As the program planned it, with the values that are known only now, in its copy. */
export function memberSpec(
  { node, copy }: NodeState,
  member: string,
  { world, state }: Pick<GroupTask, 'world' | 'state'>,
): Result<Spec> {
  const planned = node as NodeOf<'loop'>
  const { spec, variables = {}, outputs } = planned
  const valueOf = valueIn(state)
  const prompt = planned.prompt ? fill(planned.prompt, valueOf) : { text: spec.prompt }
  if ('missing' in prompt) return fail('step-failed', 'a value of its prompt is missing')
  const filled = filledEnvironment(variables, valueOf)
  if (!('env' in filled)) return fail('step-failed', 'a value of its environment is missing or does not fit')
  const file = outputs && { LOOP_OUTPUT_FILE: outputFile(world, member) }
  const own: Spec = {
    ...spec,
    prompt: prompt.text,
    group: state.id,
    // Nobody can be asked by several at once: a question lets the member rest.
    attended: false,
    deleteState: false,
    notify: false,
    env: { ...spec.env, ...filled.env, ...file, ...laneOf(planned, state), LOOP_NODE: node.id },
  }
  if (!copy) return ok(own)
  const { base, mounts, path } = copy
  const at = { tree: state.spec.cwd, base, ...(mounts && { mounts }) }
  return ok({ ...own, cwd: path, checkpoint: 'git', copy: at })
}

/** What keeps those that run at once out of each other's way. */
function laneOf({ id, place }: NodeOf<'loop'>, { id: group, nodes }: GroupState): Record<string, string> {
  if (place === 'tree') return {}
  const lanes = nodes.filter(one => isKind(one, 'loop') && one.node.place === 'copy')
  const attempt = lanes.findIndex(({ node }) => node.id === id) + 1
  return attemptEnv({ group, attempt, attempts: lanes.length })
}

/** Where a member leaves what others need. */
export function outputFile({ store }: World, member: string): string {
  return join(loopDir(store.paths, member), 'outputs')
}
