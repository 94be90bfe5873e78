/** What will run, before any of it does: the agent, the promise, the limits, and what loop writes into the tree. */
import { verificationOf } from '../../core/loop/criteria.ts'
import type { State } from '../../core/loop/state.ts'
import { type Criterion, hookKinds, type Spec } from '../../model/loop/spec.ts'
import { formatDuration, formatMoney } from '../../model/units.ts'
import { hookFlag } from '../words/hook.ts'
import { count } from '../words/message.ts'

export function plan(state: State): string[] {
  const { spec, id } = state
  const iterations =
    spec.maxIterations === null ? 'no limit of iterations' : count(spec.maxIterations, 'iteration')
  const times = `agent ${formatDuration(spec.timeoutMs)}, promise ${formatDuration(spec.verifyTimeoutMs)}`
  return [
    `loop ${id}`,
    `  directory   ${spec.cwd}`,
    `  agent       ${spec.agent}: ${spec.agentCmd}`,
    ...(spec.agentNotes ?? []).map(note => `              ${note}`),
    ...spec.criteria.map(criterionLine),
    ...(spec.mustNot ?? []).map(({ name, command }) => `  must not    ${name}: ${command}`),
    ...(spec.protect?.length ? [`  protected   ${spec.protect.join(', ')}`] : []),
    ...hooks(spec),
    `  limits      ${iterations}, ${budget(spec.budgetUsd)}, ${times}`,
    `  checkpoint  ${spec.checkpoint === 'none' ? 'none: nothing can be rolled back' : backend(spec)}`,
    `  state       ${stateWords(spec.deleteState === true)}`,
  ]
}

function hooks({ hooks: asked }: Spec): string[] {
  if (!asked) return []
  const limit = `at most ${formatDuration(asked.timeoutMs)}`
  return hookKinds.flatMap(on => (asked[on] ? [`  at the end  ${hookFlag(on)} ${asked[on]} (${limit})`] : []))
}

/** What loop writes into the work tree, and what becomes of it. */
export function stateWords(isDeleted: boolean): string {
  return `.loop/state.json, ${isDeleted ? 'deleted' : 'kept'} at the end`
}

function criterionLine(criterion: Criterion): string {
  const { name, command } = criterion
  const verification = verificationOf(criterion)
  if (command === null) return `  confirm     ${name} (${verification})`
  const type = verification === 'execution output' ? '' : ` (${verification})`
  return `  promise     ${name === command ? command : `${name}: ${command}`}${type}`
}

function budget(usd: number | null): string {
  return usd === null ? 'no budget' : `${formatMoney(usd)} budget`
}

function backend({ checkpoint: name, checkpointWhy: why, checkpointIgnored }: Spec): string {
  return [name, why && `: ${why}`, checkpointIgnored && '; small ignored files too'].filter(Boolean).join('')
}
