/**
 * A program is what distinguishes one group from another: it says which nodes are added to the graph. It is pure and
 * can be asked after any event: it answers with what is missing, so a host that dies between two events changes
 * nothing.
 */
import type { Facts } from '../../failures/all.ts'
import type { NodeReason } from '../../failures/node.ts'
import type { Reason } from '../../model/failure.ts'
import type { GroupEventOf } from '../../model/group/event.ts'
import type { GroupNode } from '../../model/group/node.ts'
import type { Assessment } from '../../model/loop/assessment.ts'
import type { GroupState, NodeState } from '../group/state.ts'

/** `wait`: running nodes have to end first. */
export type Growth =
  | { plan: GroupNode[] }
  | { drop: string; because: NodeReason }
  /** This node is done again. */
  | { reopen: string; because: NodeReason }
  | { wait: true }
  /** First it must be known whether the tree is still this one, to which the newest verdict belongs. */
  | { compareWith: string }
  /** The resting member continues, with the advice from the panel of that node. */
  | { advise: string; by: string }
  /** Facts to note outside of the journal, before anything else is done. */
  | { keep: 'showings' | 'lessons' }
  /** No usable answer of a model: the group rests until a person resumes it. */
  | { hold: 'no-answer'; nodes: string[] }
  | { end: 'completed' }
  | { end: 'failed'; reason: GroupEventOf<'group.failed'>['data']['reason']; why: string }

/** A node that is not begun, and counts as failed. */
type NodeFailure = { fail: Facts; reason?: Reason }

export type Program = {
  grow(state: GroupState): Growth
  /**
   * Asked once all needs of a node have ended: why it is skipped, or fails. Null: it is done; undefined: the general
   * rule applies.
   */
  judge?(one: NodeState, state: GroupState): { skip: NodeReason } | NodeFailure | null | undefined
  /** The assessment of a member, where the group knows more than the member's own spec says. */
  assessed?(one: NodeState, state: GroupState): Partial<Assessment>
  /**
   * Asked when a group resumes that has failed or lacks an answer: the nodes to do again. Undefined: the general rule
   * applies.
   */
  again?(state: GroupState): string[]
  /** Asked for a gate that is due: the answer given beforehand, and its source. Null: a person has to be asked. */
  answer?(one: NodeState, state: GroupState): { answer: string; by: string } | null
}

/** Several commands as one: each in a subshell of its own, in order, until one fails. */
export function joinedCommands(commands: readonly string[]): string {
  return commands.map(command => `(\n${command}\n)`).join(' && ')
}
