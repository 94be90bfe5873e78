/**
 * A program is what makes one group differ from another: it says by which nodes the graph is to grow. Pure, and asked
 * after any event: it answers with what is missing, so that a host that dies between two events changes nothing.
 */
import type { GroupEventOf } from '../../model/group/event.ts'
import type { GroupNode } from '../../model/group/node.ts'
import type { GroupState, NodeState } from '../group/state.ts'

/** `wait`: what is under way has to end first. */
export type Growth =
  | { plan: GroupNode[] }
  | { drop: string; why: string }
  /** It has to be done again. */
  | { reopen: string; because: string }
  | { wait: true }
  | { end: 'completed' }
  | { end: 'failed'; reason: GroupEventOf<'group.failed'>['data']['reason']; why: string }

export type Program = {
  grow(state: GroupState): Growth
  /**
   * Asked once all that a node needs has ended: why it is not done, or cannot be done. Null: it is done; undefined:
   * the rule of every group holds.
   */
  judge?(one: NodeState, state: GroupState): { skip: string } | { fail: string } | null | undefined
}
