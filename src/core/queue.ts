/**
 * The order in which background loops get their turn, and which crashed ones loopd restarts. There is one queue, first
 * come first served; a priority is one hour of waiting more or less, so no loop waits forever. A loop whose work tree is
 * held by another one is passed over until the tree is free.
 */
import type { Priority } from '../model/loop/spec.ts'
import type { Head } from './head.ts'
import type { AnySummary, Summary } from './summary.ts'

const bonusMs: Record<Priority, number> = { high: 3_600_000, normal: 0, low: -3_600_000 }

/**
 * The queued loops, and those whose wait is over, in the order of their turns. A loop that has begun was queued before
 * it began, so it keeps the place of its age.
 */
export function inOrder(heads: readonly Head[], waking: readonly Head[] = []): Head[] {
  return [...heads.filter(({ status }) => status === 'queued'), ...waking].toSorted(
    (a, b) => rank(a) - rank(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
  )
}

function rank({ queuedAt, createdAt, background }: Head): number {
  return (queuedAt ?? createdAt) - bonusMs[background ?? 'normal']
}

/** Tells whether a background loop needs a host: it was started and does not rest. */
export function wantsHost({ status, background, unfinished }: Head): boolean {
  return Boolean(background) && (status === 'running' || status === 'waiting' || unfinished === true)
}

/**
 * Whether a loop keeps its slot in a new state. Only one that may start an agent needs one: a wait for a time or a person
 * gives it up, and after the wait the loop takes its turn among the others.
 */
export function keepsSlot({ needsSlot }: Pick<Head, 'needsSlot'>, hadSlot: boolean): boolean {
  return hadSlot && needsSlot
}

/** The time until a crashed background loop is started again; null if it is not restarted. */
export function untilRestart(summary: Summary, backoffMs: number, now: number): number | null {
  const restart = restartOf(summary, backoffMs)
  if (!restart) return null
  // A clock that was set back must not add a day of waiting.
  return now < (summary.endedAt ?? 0) ? 0 : Math.max(0, restart.at - now)
}

/**
 * Which crashed background loops loopd restarts, how often, and when. Errors of an agent can pass: a proxy comes back, a
 * disk has room again. An agent that fails at once, each time in the same way, would do so again (a model that does not
 * exist, a command that is misspelt, a timeout of seconds), so its loop is left to its user.
 */
export const mostRestarts = 3
/** The wait before the first restart; it doubles with each. */
export const restartMs = 60_000
/** A run that ends within this time has failed at once. */
export const atOnceMs = 10_000

type Crashed = Pick<AnySummary, 'status' | 'reason' | 'background' | 'restarts' | 'endedAt' | 'group'> &
  Pick<AnySummary, 'unfinished' | 'sameFailure'>

/** `n` of `of`, due at `at`. */
export type Restart = { n: number; of: number; at: number }

/** The coming restart of a crashed loop; null if it is not restarted. */
export function restartOf(summary: Crashed, backoffMs = restartMs): Restart | null {
  const { status, reason, background, restarts = 0, endedAt, group, unfinished, sameFailure } = summary
  // The group of a member decides whether it is tried again.
  if (group !== null || unfinished || sameFailure) return null
  if (status !== 'crashed' || reason !== 'agent-errors' || !background || endedAt === null) return null
  if (restarts >= mostRestarts) return null
  return { n: restarts + 1, of: mostRestarts, at: endedAt + backoffMs * 2 ** restarts }
}
