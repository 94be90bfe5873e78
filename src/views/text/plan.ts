/**
 * What is going to be done, shown before it begins: for a loop the agent, the promise and what judges it, the limits, and
 * the files that loop writes into the tree; for a group the most that it does.
 */
import { verificationOf } from '../../core/loop/criteria.ts'
import type { State } from '../../core/loop/state.ts'
import { chainOf, unread } from '../../core/trust/chain.ts'
import { rulesOf } from '../../core/trust/side.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import type { Criterion, Spec } from '../../model/loop/spec.ts'
import { hookKinds } from '../../model/loop/words.ts'
import { count, formatDuration, formatMoney } from '../../model/units.ts'
import { hookFlag } from '../words/hook.ts'
import { sandboxWords } from '../words/sandbox.ts'

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
    ...(spec.sandbox ? [`  sandbox     ${sandboxWords(spec.sandbox)}`] : []),
    ...spec.criteria.map(criterionLine),
    ...(spec.mustNot ?? []).map(({ name, command }) => `  must not    ${name}: ${command}`),
    ...judgedBy(spec),
    ...(spec.protect?.length ? [`  protected   ${spec.protect.join(', ')}`] : []),
    ...(spec.holdout ? ['  hold-out    kept from the agent; run once after the promise has passed'] : []),
    ...leftOut(spec),
    ...hooks(spec),
    `  limits      ${iterations}, ${budget(spec.budgetUsd)}, ${times}`,
    `  checkpoint  ${spec.checkpoint === 'none' ? 'none: nothing can be rolled back' : backend(spec)}`,
    `  state       ${stateWords(spec.deleteState === true)}`,
  ]
}

/** What the second look is about, as far as the promise itself says it, and what may change of it all the same. */
function judgedBy({ criteria, checkpoint, allow = [] }: Spec): string[] {
  if (checkpoint === 'none') return []
  const commands = criteria.flatMap(({ command }) => command ?? [])
  const { families, chain } = rulesOf(chainOf(commands, unread), [])
  const kinds = families.filter(({ isHelper }) => !isHelper).map(({ name }) => name)
  const judges = [
    ...(kinds.length > 0 ? [`tests, settings and tools of ${kinds.join(', ')}`] : []),
    ...chain.scripts.slice(0, mostNames),
  ]
  return [
    ...(judges.length > 0 ? [`  judged by   ${judges.join('; ')}: if these change, loop looks again`] : []),
    ...(allow.length > 0 ? [`  may change  ${listed(allow)} (--allow)`] : []),
  ]
}

function hooks({ hooks: asked }: Spec): string[] {
  if (!asked) return []
  const limit = `at most ${formatDuration(asked.timeoutMs)}`
  return hookKinds.flatMap(on => (asked[on] ? [`  at the end  ${hookFlag(on)} ${asked[on]} (${limit})`] : []))
}

const mostNames = 12

function listed(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return `${names.slice(0, mostNames).join(', ')}${more}`
}

/** The variables that the agent does not get, by name, and how to pass one on. */
function leftOut({ leftOut: names = [] }: Spec): string[] {
  if (names.length === 0) return []
  return [
    `  left out    ${listed(names)}: like secrets; --pass-env NAME lets one through to agent and promise`,
  ]
}

/** The files that loop writes into the work tree, and what happens to them. */
export function stateWords(isDeleted: boolean): string {
  return `.loop/state.json, ${isDeleted ? 'deleted' : 'kept'} at the end`
}

/** How to have them deleted, for who asks for everything. */
export const stateHint = '              --state delete deletes it at the end'

function criterionLine(criterion: Criterion): string {
  const { name, command, answer } = criterion
  const verification = verificationOf(criterion)
  if (answer) return `  answer      ${name}: ${answer.schema}`
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

export function groupPlan({ bestOf, parallel, budgetUsd }: GroupSpec): string[] {
  if (!bestOf) return []
  const { attempts, waves = 1, loop, metric, measures = [] } = bestOf
  const many = attempts * waves
  const iterations = loop.maxIterations
  const worst = [
    iterations === null ? 'no limit of iterations' : `${count(many * iterations, 'iteration')} at most`,
    budgetUsd === null ? 'no budget' : `${formatMoney(budgetUsd)} for all together`,
  ].join(', ')
  const queue = parallel !== null && parallel < attempts ? `; ${parallel} at a time, the rest queue` : ''
  const what =
    many === 1
      ? 'one attempt in a copy'
      : `${count(many, 'attempt')} in copies${waves > 1 ? ' (two waves)' : ''}`
  return [
    `  group       ${what}${queue}`,
    `  worst case  ${worst}`,
    ...(metric
      ? [`  metric      ${metric.better === 'less' ? 'smallest' : 'largest'}: ${metric.command}`]
      : []),
    ...measures.map(({ name, command }) => `  ${name.padEnd(11)} ${command}`),
  ]
}
