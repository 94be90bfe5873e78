/**
 * Which crashed background loops loopd restarts, how often, and when. Errors of an agent can pass: a proxy comes back, a
 * disk has room again. An agent that fails at once, each time in the same way, would do so again (a model that does not
 * exist, a command that is misspelt, a timeout of seconds), so its loop is left to its user.
 */
import type { Summary } from './loop/summary.ts'

export const mostRestarts = 3
/** The wait before the first restart; it doubles with each. */
export const restartMs = 60_000
/** A run that ends within this time has failed at once. */
export const atOnceMs = 10_000

type Crashed = Pick<Summary, 'status' | 'reason' | 'background' | 'restarts' | 'endedAt' | 'group'> &
  Pick<Summary, 'unfinished' | 'sameFailure'>

/** `n` of `of`, due at `at`. */
export type Restart = { n: number; of: number; at: number }

/** The coming restart of a crashed loop; null if it is not restarted. */
export function restartOf(summary: Crashed, backoffMs = restartMs): Restart | null {
  const { status, reason, background, restarts, endedAt, group, unfinished, sameFailure } = summary
  // The group of a member decides whether it is tried again.
  if (group !== null || unfinished || sameFailure) return null
  if (status !== 'crashed' || reason !== 'agent-errors' || !background || endedAt === null) return null
  if (restarts >= mostRestarts) return null
  return { n: restarts + 1, of: mostRestarts, at: endedAt + backoffMs * 2 ** restarts }
}
