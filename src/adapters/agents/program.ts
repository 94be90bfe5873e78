/** Finds an agent's program: the one given with --agent-cmd, otherwise the first of its names on the PATH. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Agent, AgentPlace } from './agent.ts'

export function findProgram(name: string, env: NodeJS.ProcessEnv): string | null {
  const places = (env['PATH'] ?? '').split(delimiter).filter(place => place !== '')
  return places.map(place => join(place, name)).find(isProgram) ?? null
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The check for an agent that is an installed program. */
export function programCheck(names: string[]): Agent['check'] {
  return (agentCmd: string | undefined, { cwd, env }: AgentPlace): Result<string> => {
    if (agentCmd !== undefined) {
      const given = agentCmd.includes('/') ? resolve(cwd, agentCmd) : findProgram(agentCmd, env)
      if (given && isProgram(given)) return ok(given)
      return fail('invalid-arguments', { kind: 'agent-cmd-no-program', agentCmd })
    }
    const found = names.map(name => findProgram(name, env)).find(path => path !== null)
    return found ? ok(found) : fail('agent-missing', { kind: 'agent-not-on-path', program: names[0] ?? '' })
  }
}
