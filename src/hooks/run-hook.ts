/** Answers a hook, and loads parts of the engine only when they are needed. */

import { parseDuration } from '../model/units.ts'
import { answer, hookFailure } from './hook.ts'

/** Less than host programs allow: they release a session when a hook takes longer. */
const usualDeadline = '55m'

export async function runHook(
  kind: string,
  deadline: string | null,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const deadlineMs = parseDuration(deadline ?? usualDeadline)
  if ((kind !== 'stop' && kind !== 'session-start') || !deadlineMs) {
    return hookFailure('it is called as: loop hook stop|session-start [--deadline 55m]')
  }
  const named = async () => (await import('../wiring/secret-names.ts')).withSecretNames(env)
  return answer(kind, env, {
    claim: async wish => (await import('./claim.ts')).claim(await named(), { ...wish, deadlineMs }),
    end: async (id, ending) => (await import('./claim.ts')).endSession(await named(), id, ending),
    checkTasks: async (list, tasks) =>
      (await import('./check-tasks.ts')).checkTasks(env, { list, tasks, deadlineMs }),
    orphanIn: async tree => (await import('./orphan.ts')).orphanIn(await named(), tree),
  })
}
