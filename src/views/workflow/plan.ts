/** The plan of a workflow, shown before it runs: its loops, where each runs, its commands, and the worst case. */
import { spelledOut } from '../../core/text/plain-text.ts'
import { type WorstCase, worstCase, writtenText } from '../../core/workflow.ts'
import type { ShellCommand, Variables, WorkflowLoop, WorkflowSpec } from '../../model/group/workflow.ts'
import { count, formatMoney } from '../../model/units.ts'
import { whenText } from './graph.ts'

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
