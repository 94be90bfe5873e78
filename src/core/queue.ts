/**
 * Which loops of the background have their turn. One queue, first come first served; a priority is an hour of
 * waiting more or less, so that nothing ever waits for ever. A loop whose work tree another one holds lets
 * those behind it pass. Also: when a crashed loop is started again.
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

/** A loop of the background that somebody has to drive: it was begun, and nothing says that it rests. */
export function wantsHost({ status, background, unfinished }: Head): boolean {
  return Boolean(background) && (status === 'running' || status === 'waiting' || unfinished === true)
}

/**
 * Whether it counts among those that run at once. A loop that waits for a time keeps its place, for it runs again by
 * itself; one that waits for a human may do so all night, and lets others run meanwhile.
 */
export function takesSlot({ needsSlot, status, question = null }: Head & Asking): boolean {
  return needsSlot || (status === 'waiting' && question === null)
}

/** What of a summary the rules of the queue know besides its head. */
type Asking = Partial<Pick<Summary, 'question'>>

/** How long until a crashed loop of the background is started again, later each time; null when it is not. */
export function untilRestart(summary: Summary, backoffMs: number, now: number): number | null {
  const { status, reason, background, restarts = 0, endedAt, group, unfinished } = summary
  // A member has a group that knows whether it is tried again.
  if (group !== null || unfinished) return null
  if (status !== 'crashed' || reason !== 'agent-errors' || !background || endedAt === null) return null
  const since = now - endedAt
  if (restarts >= mostRestarts) return null
  // A clock that was set back must not make it wait for a day.
  return since < 0 ? 0 : Math.max(0, backoffMs * 2 ** restarts - since)
}
