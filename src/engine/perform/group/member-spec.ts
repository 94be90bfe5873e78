/** The spec of a group's member: the one its program planned, completed with values known only when it begins. */
import { join } from 'node:path'
import { type GroupState, isKind, type NodeState } from '../../../core/group/state.ts'
import { valueIn } from '../../../core/group/values.ts'
import { fill, filledEnvironment } from '../../../core/workflow.ts'
import { nodeReasonWords } from '../../../failures/node.ts'
import { attemptEnv } from '../../../model/attempt-env.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import type { Event } from '../../../model/loop/event.ts'
import type { Spec } from '../../../model/loop/spec.ts'
import { loopDir } from '../../../store/files/paths.ts'
import type { World } from '../../world.ts'
import { contextText } from './context.ts'
import { nameOf } from './copy.ts'
import type { GroupTask } from './steps.ts'

/** Additional texts for the member: those of the file, and the reasons for repeating it. */
export function toldTo({ node, reopened }: NodeState): Event[] {
  const given = ((node as NodeOf<'loop'>).injected ?? []).map(text => ({ text }))
  const again = reopened.slice(-1).map(why => ({ text: nodeReasonWords(why), by: 'loop' as const }))
  return [...given, ...again].map(data => ({ kind: 'context.injected', data }))
}

/** The planned spec with all values filled in, for its copy. */
export function memberSpec(
  { node, copy, attempt }: NodeState,
  member: string,
  { world, state }: Pick<GroupTask, 'world' | 'state'>,
): Result<Spec> {
  const planned = node as NodeOf<'loop'>
  const { spec, variables = {}, outputs } = planned
  const valueOf = valueIn(state)
  const prompt = planned.prompt ? fill(planned.prompt, valueOf) : { text: spec.prompt }
  if ('missing' in prompt) return fail('step-failed', { kind: 'prompt-value-missing' })
  const filled = filledEnvironment(variables, valueOf)
  if (!('env' in filled)) return fail('step-failed', { kind: 'unfit-environment' })
  const file = outputs && { LOOP_OUTPUT_FILE: outputFile(world, member) }
  const own: Spec = {
    ...spec,
    prompt: prompt.text + contextText(world, state.id, nameOf(node.id, attempt)),
    group: state.id,
    // Several members cannot ask a person at the same time: a question lets the member rest.
    attended: false,
    deleteState: false,
    notify: false,
    env: { ...spec.env, ...filled.env, ...file, ...laneOf(planned, state), LOOP_NODE: node.id },
  }
  if (!copy) return ok(own)
  const { base, mounts, path } = copy
  const at = { tree: state.spec.cwd, base, ...(mounts && { mounts }) }
  return ok({ ...own, cwd: path, checkpoint: planned.reads ? 'none' : 'git', copy: at })
}

/** The environment that keeps concurrent members apart. */
function laneOf({ id, place }: NodeOf<'loop'>, { id: group, nodes }: GroupState): Record<string, string> {
  if (place === 'tree') return {}
  const lanes = nodes.filter(one => isKind(one, 'loop') && one.node.place === 'copy')
  const attempt = lanes.findIndex(({ node }) => node.id === id) + 1
  return attemptEnv({ group, attempt, attempts: lanes.length })
}

/** The file in which a member leaves its outputs for others. */
export function outputFile({ store }: World, member: string): string {
  return join(loopDir(store.paths, member), 'outputs')
}
