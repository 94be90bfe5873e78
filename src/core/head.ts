/**
 * The head of a journal: what the store, hosting, garbage collection and the emergency stop need to know of it,
 * whichever kind of journal it is. A summary is a head plus a body that only its kind knows.
 */
import type { Reason } from '../model/failure.ts'
import type { Priority } from '../model/loop/spec.ts'
import type { Status } from './loop/summary.ts'

export type Head = {
  id: string
  /** The machine: the part of its event kinds before the dot. */
  kind: string
  /** The id of the group it is a member of. */
  group: string | null
  /** Of the newest event. */
  seq: number
  cwd: string
  status: Status
  /** Why it is in this status; null while it simply runs. */
  reason: Reason | null
  createdAt: number
  /** Null until it rests for good. */
  endedAt: number | null
  /** Whether an agent may be at work in the tree, or be started in it without being asked again. */
  holdsTree: boolean
  /** Whether it may start an agent now. */
  needsSlot: boolean
  /** It has ended, and something is still to be done after that: a hook. Whoever hosts it does it. */
  unfinished?: true
  /** The priority of a journal of the background. */
  background: Priority | null
  queuedAt: number | null
  costUsd: number | null
}

/** The version of what a summary row holds. Rows of the first have no number. */
export const headShape = 4

/** What rows of before the third shape were counted and worded by other rules for (docs/decisions/0051). */
export const recounted: readonly string[] = ['breakers', 'detail']

/** What rows of the first shape do not say. */
export function headDefaults({ status }: Pick<Head, 'status'>) {
  return { kind: 'loop', group: null, needsSlot: status === 'running', background: null, queuedAt: null }
}

type Member = Pick<Head, 'id' | 'group'>

/** A group and its members share their trees; so do the members among each other. */
export function shareTree(one: Member, other: Member): boolean {
  return one.group === other.id || other.group === one.id || (one.group !== null && one.group === other.group)
}
