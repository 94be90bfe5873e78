/**
 * A program is what distinguishes one group from another: it says which nodes are added to the graph. It is pure and
 * can be asked after any event: it answers with what is missing, so a host that dies between two events changes
 * nothing.
 */
import type { Reason } from '../../model/failure.ts'
import type { GroupEventOf } from '../../model/group/event.ts'
import type { GroupNode } from '../../model/group/node.ts'
import type { Assessment } from '../../model/loop/assessment.ts'
import type { GroupState, NodeState } from '../group/state.ts'

/** `wait`: the running nodes have to end first. */
export type Growth =
  | { plan: GroupNode[] }
  | { drop: string; why: string }
  /** The node has to be done again. */
  | { reopen: string; because: string }
  | { wait: true }
  /** The resting member continues with the advice of that node's panel. */
  | { advise: string; by: string }
  /** What is noted outside of the journal, before anything else is done. */
  | { keep: 'showings' | 'lessons' }
  /** A model has not given an answer that can be used: nothing goes on before a person wants it to. */
  | { hold: 'no-answer'; nodes: string[] }
  | { end: 'completed' }
  | { end: 'failed'; reason: GroupEventOf<'group.failed'>['data']['reason']; why: string }

/** A node that is not begun, and counts as failed. */
type NodeFailure = { fail: string; reason?: Reason }

export type Program = {
  grow(state: GroupState): Growth
  /**
   * Asked once all needs of a node have ended: why it is skipped, or fails. Null: it is done; undefined: the general
   * rule applies.
   */
  judge?(one: NodeState, state: GroupState): { skip: string } | NodeFailure | null | undefined
  /** What is judged of its members, where the group knows better than their own words. */
  assessed?(one: NodeState, state: GroupState): Partial<Assessment>
  /**
   * Asked when a group goes on that has failed, or has no answer: the nodes that are done again. Undefined: the rule of
   * every group holds.
   */
  again?(state: GroupState): string[]
  /** Asked of a gate that is due: what was answered beforehand, and by what; null: somebody has to be asked. */
  answer?(one: NodeState, state: GroupState): { answer: string; by: string } | null
}
