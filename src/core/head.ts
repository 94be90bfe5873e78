/**
 * The head of a journal: the fields that the store, hosting, garbage collection and the emergency stop need for
 * any kind of journal. A summary is a head plus a body of its kind.
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
  /** The sequence number of the newest event. */
  seq: number
  cwd: string
  status: Status
  /** The reason for this status; null while the journal simply runs. */
  reason: Reason | null
  createdAt: number
  /** Null until the journal has ended. */
  endedAt: number | null
  /** Whether an agent can be at work in the tree, or can be started there without another command. */
  holdsTree: boolean
  /** Whether it may start an agent now. */
  needsSlot: boolean
  /** The journal has ended, but work remains, such as a hook. Its host does it. */
  unfinished?: true
  /** The priority of a background journal; null in the foreground. */
  background: Priority | null
  queuedAt: number | null
  costUsd: number | null
}

/** The version of what a summary row holds. */
export const headShape = 1

type Member = Pick<Head, 'id' | 'group'>

/** A group and its members share one tree, and so do two members of the same group. */
export function shareTree(one: Member, other: Member): boolean {
  return one.group === other.id || other.group === one.id || (one.group !== null && one.group === other.group)
}
