/**
 * The order in which background loops get their turn. There is one queue, first come first served; a priority
 * is one hour of waiting more or less, so no loop waits forever. A loop whose work tree is held by another one
 * is passed over until the tree is free. When a crashed loop is started again: core/restarts.
 */
import type { Priority } from '../model/loop/spec.ts'
import type { Head } from './head.ts'
import type { Summary } from './loop/summary.ts'
import { restartOf } from './restarts.ts'

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
