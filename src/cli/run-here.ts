/**
 * Whether this program was started in the run of an agent, or in a session: then commands for people only are refused, and
 * others are recorded as not the user's. Separate from the definitions of the commands (`forPeople`), because every
 * command reads those and few need this check.
 */
import { loopAround, valuesAround } from '../adapters/process/around.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import { pathsFrom } from '../store/files/paths.ts'
import { readMarker } from '../store/files/session-marker.ts'
import { sessionHere, sessionVariables } from './session/begin.ts'

/** Refused inside the run of an agent. */
export function outsideOfRuns(what: string, env: NodeJS.ProcessEnv): Result<null> {
  const id = runHere(env)
  if (id === null) return ok(null)
  return fail('not-allowed', { kind: 'for-people', what, id })
}

/** The loop in whose run this program was started. */
export function runHere(env: NodeJS.ProcessEnv): string | null {
  return loopAround(env, pathsFrom(env).loops)
}

/** Inside an agent's run. */
export function byAgent(env: NodeJS.ProcessEnv): { by?: 'agent' } {
  return runHere(env) === null ? {} : { by: 'agent' }
}

/** The same, and inside the session that works on the loop: its user would tell it without loop. */
export function toldByAgent(id: string, env: NodeJS.ProcessEnv): { by?: 'agent' } {
  return isItsSession(id, env) ? { by: 'agent' } : byAgent(env)
}

/** Inside any session: its host program gives the user's and the agent's commands the same environment. */
export function bySession(env: NodeJS.ProcessEnv): { by?: 'session' } {
  return sessionHere(env) === null ? {} : { by: 'session' }
}

/** By what the session's host program says, here or to an ancestor; agents in runs are handled by `forPeople` of a command. */
export function isItsSession(id: string, env: NodeJS.ProcessEnv): boolean {
  const session = readMarker(pathsFrom(env), id)?.loop.session ?? null
  return session !== null && sessionVariables.some(name => [...valuesAround(env, name)].includes(session))
}
