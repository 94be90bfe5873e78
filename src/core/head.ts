/**
 * The head of a journal: what every kind of journal has. The store, hosting, garbage collection, the emergency stop and
 * every list need nothing else. A summary is a head plus a body of its kind (core/summary).
 */
import type { AnswerName } from '../model/answer.ts'
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
  /** The work is done in a session of a person; no process hosts it in between. */
  session?: boolean
  /** The priority of a background journal; null in the foreground. */
  background: Priority | null
  queuedAt: number | null
  costUsd: number | null
  /** The version of the row's format. */
  shape: number
  /** The detail behind the reason, if there is one: "exit 127: command not found". */
  detail: string
  /** For a group: the settled nodes, and the planned ones. */
  iteration: number
  maxIterations: number | null
  /** A part of the cost was computed from tokens and a price list. */
  costEstimated: boolean
  /** The agents have cost more than is known: `costUsd` is a lower bound, or null. */
  costIncomplete: boolean
  budgetUsd: number | null
  prompt: string
  promise: string
  agent: string
  /** The working time, and the start of the current work (null while it rests). */
  activeMs: number
  activeSince: number | null
  /** A command that takes effect later. */
  pending: 'pause' | 'cancel' | null
  /** The time at which it continues by itself. */
  waitUntil: number | null
  /** It is a question to a model: it changes nothing, and only its cost is counted. */
  answers?: AnswerName
  /** The question that a person is asked. */
  question: string | null
  /** The time of its outcome; `endedAt` is the time of the last event. */
  outcomeAt: number | null
  /** The target of a rollback since the promise last ran. */
  rolledBackTo: string | null
}

/** The version of what a summary row holds. */
export const headShape = 1

type Member = Pick<Head, 'id' | 'group'>

/** A group and its members share one tree, and so do two members of the same group. */
export function shareTree(one: Member, other: Member): boolean {
  return one.group === other.id || other.group === one.id || (one.group !== null && one.group === other.group)
}
