/**
 * Whether this program was started in the run of an agent: then commands for people only are refused. Separate from the
 * definitions of the commands (`forPeople`), because every command reads those and few need this check.
 */
import { loopAround } from '../../adapters/process/around.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { pathsFrom } from '../../store/files/paths.ts'

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
