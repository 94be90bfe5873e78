/**
 * A workflow before it runs: its plan (loops, where each runs, commands, the worst case), and its graph as text, Mermaid
 * or DOT (JSON: documents/workflow). Names can be anybody's: each format escapes them by its own rules.
 */
import { spelledOut } from '../../core/text/plain-text.ts'
import { type WorstCase, worstCase, writtenText } from '../../core/workflow.ts'
import type { ShellCommand, Variables, When, WorkflowLoop, WorkflowSpec } from '../../model/group/workflow.ts'
import { count, formatMoney } from '../../model/units.ts'

export function workflowPlan(workflow: WorkflowSpec): string[] {
  const { name, description, loops, env, copySetup, onComplete, onFailure } = workflow
  return [
    `workflow ${name}`,
    ...(description === null ? [] : [`  ${description}`]),
    ...Object.entries(env).map(([key, value]) => `  env         ${key}=${value}`),
    ...loops.flatMap(loopLines),
    ...(copySetup && loops.some(({ place, bestOf }) => place === 'copy' || bestOf !== null)
      ? commandLines('copy setup', copySetup)
      : []),
    ...onComplete.flatMap(command => commandLines('on complete', command)),
    ...onFailure.flatMap(command => commandLines('on failure', command)),
    worstCaseWords(worstCase(workflow)),
  ].map(spelledOut)
}

function loopLines({
  id,
  name,
  prompt,
  spec,
  needs,
  when,
  confirm,
  env,
  bestOf,
  retry,
  lowered = [],
  place,
  outputs,
}: WorkflowLoop): string[] {
  const iterations =
    spec.maxIterations === null ? 'no limit of iterations' : count(spec.maxIterations, 'iteration')
  const where = place === 'tree' ? 'in the work tree' : 'in a copy, then applied to the work tree'
  return [
    '',
    `loop ${name === id ? id : `${id}: ${name}`}`,
    `  runs        ${where}${bestOf === null ? '' : `, best of ${bestOf} attempts`}`,
    ...(needs.length > 0 ? [`  after       ${needs.join(', ')}`] : []),
    ...(when ? [`  when        ${whenText(when)}`] : []),
    ...(confirm ? [`  asks        ${writtenText(confirm)}`] : []),
    ...promptLines(writtenText(prompt)),
    ...spec.criteria.map(
      ({ name: criterion, command }) => `  promise     ${command ?? `${criterion} (a human confirms)`}`,
    ),
    ...(spec.mustNot ?? []).map(({ name: criterion, command }) => `  must not    ${criterion}: ${command}`),
    ...variableLines(env),
    `  agent       ${spec.agent}: ${spec.agentCmd}`,
    `  limits      ${iterations}${retry ? `, started again up to ${retry.max} times on ${retry.on.join(', ')}` : ''}`,
    ...lowered.map(
      ({ option, from, to }) =>
        `              ${option === 'max-iterations' ? '-n' : `--${option}`} ${to} lowers ${from} to ${to}`,
    ),
    ...(outputs.length > 0 ? [`  outputs     ${outputs.map(output => output.name).join(', ')}`] : []),
  ]
}

function promptLines(text: string): string[] {
  const [first = '', ...rest] = text.trimEnd().split('\n')
  return [`  prompt      ${first}`, ...rest.map(line => `              ${line}`.trimEnd())]
}

function commandLines(what: string, { command, variables }: ShellCommand): string[] {
  return ['', `${what}`, `  runs        ${command}`, ...variableLines(variables)]
}

function variableLines(variables: Variables): string[] {
  return Object.entries(variables)
    .filter(([name]) => name.startsWith('LOOP_VAR_'))
    .map(([name, text]) => `  with        ${name}=${writtenText(text)}`)
}

type CommandOfProject = { name: string; command: string; because: string | null }

/** The project's commands that it uses, and the files that name them; shown before any of them runs. */
export function commandWords(commands: readonly CommandOfProject[]): string[] {
  return commands.map(({ name, command, because }) =>
    spelledOut(
      command === ''
        ? `${name}: none found, so it is not checked`
        : `${name}: ${command}${because === null ? '' : ` (${because})`}`,
    ),
  )
}

export function worstCaseWords({ loops, starts, iterations, costUsd }: WorstCase): string {
  const attempts = starts > loops ? ` (${starts} starts with attempts and retries)` : ''
  const most = iterations === null ? 'no limit of iterations' : count(iterations, 'iteration')
  const money = costUsd === null ? 'no budget' : `${formatMoney(costUsd)} in all`
  return `Worst case: ${count(loops, 'loop')}${attempts}, ${most}, ${money}.`
}

export const graphFormats = ['text', 'mermaid', 'dot', 'json'] as const

type Drawn = Pick<WorkflowSpec, 'name' | 'loops'>

/** The condition in the syntax of a workflow file. */
export function whenText(when: When): string {
  switch (when.op) {
    case 'ended':
      return `${when.how}(${when.loop})`
    case 'output':
      return `outputs.${when.loop}.${when.field} ${when.is === 'equal' ? '==' : '!='} ${JSON.stringify(when.value)}`
    case 'not':
      return `!${inParentheses(when.term)}`
    case 'and':
    case 'or':
      return when.terms.map(inParentheses).join(when.op === 'and' ? ' && ' : ' || ')
    default:
      return when satisfies never
  }
}

function inParentheses(when: When): string {
  return 'terms' in when && when.terms.length > 1 ? `(${whenText(when)})` : whenText(when)
}

export function graphText({ name, loops }: Drawn): string {
  const width = Math.max(...loops.map(loop => loop.id.length))
  return [
    spelledOut(name),
    ...loops.map(loop => `  ${loop.id.padEnd(width)}  ${facts(loop).join('; ')}`.trimEnd()),
  ].join('\n')
}

function facts({ needs, when, place, bestOf, confirm, retry, matrix }: WorkflowLoop): string[] {
  const values = Object.entries(matrix).map(([key, value]) => `${key}: ${value}`)
  return [
    ...(needs.length > 0 ? [`after ${needs.join(', ')}`] : []),
    ...(when ? [`when ${whenText(when)}`] : []),
    ...values,
    ...(bestOf === null ? [] : [`best of ${bestOf}`]),
    ...(confirm ? ['asks before it begins'] : []),
    ...(retry ? [`up to ${retry.max} more ${retry.max === 1 ? 'try' : 'tries'}`] : []),
    place === 'tree' ? 'in the tree' : 'in a copy',
  ].map(spelledOut)
}

export function graphMermaid({ name, loops }: Drawn): string {
  const at = new Map(loops.map(({ id }, i) => [id, `n${i}`]))
  return [
    '---',
    `title: ${JSON.stringify(spelledOut(name))}`,
    '---',
    'flowchart TD',
    ...loops.map(({ id, name: label }) => `  ${at.get(id)}["${mermaid(label)}"]`),
    ...loops.flatMap(({ id, needs, when }) =>
      needs.map(need => `  ${at.get(need)} -->${when ? `|"${mermaid(whenText(when))}"|` : ''} ${at.get(id)}`),
    ),
  ].join('\n')
}

/** Escapes by number everything that Mermaid or HTML could interpret. */
function mermaid(text: string): string {
  return spelledOut(text).replaceAll(/[^A-Za-z0-9 .,:()_-]/gu, character => `#${character.codePointAt(0)};`)
}

export function graphDot({ name, loops }: Drawn): string {
  return [
    `digraph ${dot(name)} {`,
    '  node [shape=box];',
    ...loops.map(({ id, name: label }) => `  ${dot(id)} [label=${dot(label)}];`),
    ...loops.flatMap(({ id, needs, when }) =>
      needs.map(need => `  ${dot(need)} -> ${dot(id)}${when ? ` [label=${dot(whenText(when))}]` : ''};`),
    ),
    '}',
  ].join('\n')
}

/** In quotes, with only these two escapes: `\l`, `\N` and the like would be interpreted. */
function dot(text: string): string {
  return `"${spelledOut(text).replaceAll(/[\\"]/g, '\\$&')}"`
}
