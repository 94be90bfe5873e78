/** The sender of a command if it may not be the user: recorded with commands that an agent may give too. */
import { valuesAround } from '../../adapters/process/around.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { readMarker } from '../../store/files/session-marker.ts'
import { sessionHere, sessionVariables } from '../session/begin.ts'
import { runHere } from './run-here.ts'

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
