/**
 * What only a person may ask for: an agent in its run is not the user. One table for all commands of both programs;
 * `loop mcp` and the client of loopd ask the same question. What an agent may do all the same (tell, pause, report,
 * look) is recorded as the agent's. No sandbox: an agent that means harm can write any file of its user.
 */
import { loopAround } from '../../adapters/process/around.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { hookFlags } from '../../options/table/hook.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import type { Input } from '../command-table.ts'

const always = () => true
const unlessDry = (input: Input) => !input.given('dry-run')

/** By program and command: whether what was typed is for people only. */
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

/** Whether the command may be done from here; `command` with its program, as it is typed. */
export function permitted(command: string, input: Input): Result<null> {
  const isForPeople = Object.hasOwn(forPeople, command) && forPeople[command]?.(input)
  return isForPeople ? outsideOfRuns(command, input.env) : ok(null)
}

/** Refused inside the run of an agent. */
export function outsideOfRuns(what: string, env: NodeJS.ProcessEnv): Result<null> {
  const id = runHere(env)
  if (id === null) return ok(null)
  return fail(
    'not-allowed',
    `${what} is for the user, and this is inside a run of loop ${id}. Type it in a terminal of your own.`,
  )
}

/** The loop in whose run this program was started. */
export function runHere(env: NodeJS.ProcessEnv): string | null {
  return loopAround(env, pathsFrom(env).loops)
}
