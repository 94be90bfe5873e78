/**
 * The keys of a workflow file, as data: the reader, the suggestions and the published JSON Schema all use these
 * tables. Every option of a start is a key of a loop and of `defaults`, with - or _ in its name.
 */
import { type Flag, keyOf } from '../table/flag.ts'
import { groupFlags } from '../table/group.ts'
import { startFlags } from '../table/start.ts'

/** The form of a key's value. */
export type KeyShape =
  | 'text'
  | 'texts'
  | 'command'
  | 'commands'
  | 'money'
  | 'count'
  | 'env'
  | 'vars'
  | 'options'
  | 'loops'
  | 'matrix'
  | 'outputs'
  | 'retry'
  | 'words'

export type Key = { name: string; shape: KeyShape; help: string; required?: true }

export const topKeys: Key[] = [
  { name: 'name', shape: 'text', required: true, help: 'the name of the workflow' },
  { name: 'description', shape: 'text', help: 'what it is for' },
  {
    name: 'vars',
    shape: 'vars',
    help: 'the variables that --set gives a value: a default, or a description of each',
  },
  {
    name: 'env',
    shape: 'env',
    help: 'environment of agents, promises and hooks; {{name}} is replaced, $NAME is not',
  },
  { name: 'defaults', shape: 'options', help: 'options of every loop that does not give them itself' },
  { name: 'budget', shape: 'money', help: 'what all loops together may cost; none lifts the limit' },
  {
    name: 'copy_setup',
    shape: 'command',
    help: 'the command that prepares a new working copy, such as npm ci',
  },
  { name: 'loops', shape: 'loops', required: true, help: 'the loops' },
  { name: 'on_complete', shape: 'commands', help: 'run once when all loops have completed' },
  {
    name: 'on_failure',
    shape: 'commands',
    help: 'run once when a loop has failed; {{failed_loop}} is its id',
  },
]

export const loopKeys: Key[] = [
  {
    name: 'id',
    shape: 'text',
    required: true,
    help: 'the name of the loop in this file: letters, digits, - and _',
  },
  { name: 'prompt', shape: 'text', required: true, help: 'what the agent is asked to do' },
  {
    name: 'depends_on',
    shape: 'texts',
    help: 'ids of the loops that must have ended before this one begins',
  },
  {
    name: 'when',
    shape: 'text',
    help: 'whether it runs at all: completed(x), failed(x), skipped(x), outputs.x.field == "v", !=, &&, ||, !',
  },
  { name: 'matrix', shape: 'matrix', help: 'one loop for each combination of these values, {{matrix.key}}' },
  {
    name: 'outputs',
    shape: 'outputs',
    help: 'what it leaves in $LOOP_OUTPUT_FILE for others: names, or names and what they are',
  },
  { name: 'confirm', shape: 'text', help: 'a question that a human answers before the loop begins' },
  {
    name: 'confirm_at_end',
    shape: 'texts',
    help: 'a criterion that a human confirms at the end, as --confirm of a start',
  },
  { name: 'retry', shape: 'retry', help: 'start it again: max, and on which ends' },
  { name: 'best_of', shape: 'count', help: 'so many attempts in copies, from 2 to 8; the best is kept' },
]

/** Options about the terminal, or about the whole run. */
const ofTheRun = [
  'background',
  'session',
  'cwd',
  'trust',
  'dry-run',
  'plain',
  'yes',
  'no-input',
  'state',
  'priority',
  'notify',
  'template',
]

/** Options of the whole workflow, or with a key of their own. */
const ofTheWhole = ['on-complete', 'on-failure', 'hook-timeout', ...groupFlags.map(({ name }) => name)]

/** The options of a start that a loop can have; `confirm` is named differently, since a gate has its own key. */
export const loopOptions: Flag[] = startFlags.filter(
  ({ name }) =>
    !ofTheRun.includes(name) &&
    !ofTheWhole.includes(name) &&
    ![...loopKeys.map(key => key.name), 'confirm'].includes(keyOf({ name })),
)

export function isOfTheRun(key: string): boolean {
  return ofTheRun.includes(key.replaceAll('_', '-'))
}

export function optionNamed(key: string): Flag | undefined {
  return loopOptions.find(({ name }) => name === key.replaceAll('_', '-'))
}

/** The options whose text is a shell command, or holds one: a value is put into it as a variable only. */
export const commandOptions = ['promise', 'must-not', 'holdout', 'agent-cmd']
