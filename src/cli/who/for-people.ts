/**
 * The commands that only a person may give: an agent in its run is not the user. One table for all commands of both
 * programs; `loop mcp` and the client of loopd use it too. What an agent may still do (tell, pause, report, look) is
 * recorded as the agent's. It is no sandbox: a malicious agent can write any file of its user.
 */
import { hookFlags } from '../../options/table/hook.ts'
import type { Input } from '../command-table.ts'

const always = () => true
const unlessDry = (input: Input) => !input.given('dry-run')

/** By program and command: whether the typed command is for people only. */
const forPeople: Record<string, (input: Input) => boolean> = {
  'loop start': input =>
    input.given('trust') ||
    input.given('session') ||
    ((input.given('background') || hookFlags.some(name => input.given(name))) && unlessDry(input)),
  'loop workflow': input => input.given('trust') || (input.given('background') && unlessDry(input)),
  'loop template': input =>
    input.positionals[0] === 'create' ||
    input.given('trust') ||
    (input.given('background') && unlessDry(input)),
  // A session's own agent manages its list; an agent in a run has none.
  'loop task': ({ positionals }) => positionals.length > 0 && positionals[0] !== 'list',
  // Consent is given by a person.
  'loop learn': input => input.positionals.length > 0 || input.given('trust'),
  'loop init': always,
  'loop resume': always,
  'loop cancel': always,
  'loop rollback': unlessDry,
  'loop pick': always,
  'loop apply': always,
  'loop answer': ({ positionals }) => positionals.length > 1,
  'loop config': changesConfig,
  'loop gc': unlessDry,
  'loop doctor': input => input.given('restore'),
  'loop plugin': always,
  'loop ui': always,
  'loopd start': always,
  'loopd stop': always,
  'loopd config': changesConfig,
  'loopd service': ({ positionals }) => positionals[0] !== 'print',
}

function changesConfig({ positionals: [action = ''] }: Input): boolean {
  return ['set', 'unset', 'trust', 'untrust'].includes(action)
}

/** Tells whether the typed command is for people only; `command` includes its program. */
export function isForPeople(command: string, input: Input): boolean {
  return Object.hasOwn(forPeople, command) && forPeople[command]?.(input) === true
}
