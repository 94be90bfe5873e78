/**
 * The order in which background loops get their turn. There is one queue, first come first served; a priority
 * is one hour of waiting more or less, so no loop waits forever. A loop whose work tree is held by another one
 * is passed over until the tree is free. Also decides when a crashed loop is started again.
 */
import type { Priority } from '../model/loop/spec.ts'
import type { Head } from './head.ts'
import type { Summary } from './loop/summary.ts'
import { mostRestarts } from './restarts.ts'

const bonusMs: Record<Priority, number> = { high: 3_600_000, normal: 0, low: -3_600_000 }

/** The queued loops in the order of their turns. */
export function inOrder(heads: readonly Head[]): Head[] {
  return heads
    .filter(({ status }) => status === 'queued')
    .toSorted((a, b) => rank(a) - rank(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

function rank({ queuedAt, createdAt, background }: Head): number {
  return (queuedAt ?? createdAt) - bonusMs[background ?? 'normal']
}

/** Tells whether a background loop needs a host: it was started and does not rest. */
export function wantsHost({ status, background, unfinished }: Head): boolean {
  return Boolean(background) && (status === 'running' || status === 'waiting' || unfinished === true)
}

/**
 * Tells whether a loop counts toward the number of loops that run at once. One that waits for a time keeps its
 * place, because it continues by itself. One that waits for a person can wait all night, so others run
 * meanwhile.
 */
export function takesSlot({ needsSlot, status, question = null }: Head & Asking): boolean {
  return needsSlot || (status === 'waiting' && question === null)
}

/** The fields of a summary that the queue needs beside the head. */
type Asking = Partial<Pick<Summary, 'question'>>

/**
 * The time until a crashed background loop is started again, longer after each crash; null if it is not
 * restarted.
 */
export function untilRestart(summary: Summary, backoffMs: number, now: number): number | null {
  const { status, reason, background, restarts = 0, endedAt, group, unfinished } = summary
  // The group of a member decides whether it is tried again.
  if (group !== null || unfinished) return null
  if (status !== 'crashed' || reason !== 'agent-errors' || !background || endedAt === null) return null
  const since = now - endedAt
  if (restarts >= mostRestarts) return null
  // A clock that was set back must not add a day of waiting.
  return since < 0 ? 0 : Math.max(0, backoffMs * 2 ** restarts - since)
}
