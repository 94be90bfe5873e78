/** Answers a hook, and loads what it may need of the engine only when it is needed. */

import { parseDuration } from '../model/units.ts'
import { answer, hookFailure } from './hook.ts'

/** Less than hosts allow: they let a session go when a hook takes longer. */
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
  return answer(kind, env, {
    claim: async wish => (await import('./claim.ts')).claim(env, { ...wish, deadlineMs }),
    end: async (id, ending) => (await import('./claim.ts')).endSession(env, id, ending),
  })
}
