/**
 * Names in a workflow file, as plain data: which options of a start a loop can have, with - or _ in their names, and
 * what the name of a loop or a variable may look like. The keys themselves: options/workflow/form.
 */
import { type Flag, keyOf } from '../table/flag.ts'
import { groupFlags } from '../table/group.ts'
import { startFlags } from '../table/start.ts'

/** Names of loops, variables, matrix keys and outputs: the form excludes names that could be confused. */
export const nameForm = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/

export const nameRule = 'letters and digits, with single - and _ between them'

/** Names without a dot that a file may not declare. */
export const builtIn = ['failed_loop', 'matrix', 'outputs', 'loop', 'workflow', 'vars', 'env']

/** Options about the terminal, or about the whole run. */
const ofTheRun =
  'background session cwd trust dry-run verbose plain yes no-input state priority notify template'.split(' ')

/** Options of the whole workflow, or with a key of their own; a gate has the key `confirm`. */
const withOwnKeys = ['on-complete', 'on-failure', 'hook-timeout', 'best-of', 'confirm']

/** The options of a start that a loop can have. */
export const loopOptions: Flag[] = startFlags.filter(
  ({ name }) => ![...ofTheRun, ...withOwnKeys, ...groupFlags.map(flag => flag.name)].includes(name),
)

export const optionNames: readonly string[] = loopOptions.map(keyOf)

export function isOfTheRun(key: string): boolean {
  return ofTheRun.includes(key.replaceAll('_', '-'))
}

export function optionNamed(key: string): Flag | undefined {
  return loopOptions.find(({ name }) => name === key.replaceAll('_', '-'))
}

/** The options whose text is a shell command, or holds one: a value is put into it as a variable only. */
export const commandOptions = ['promise', 'must-not', 'holdout', 'agent-cmd']
