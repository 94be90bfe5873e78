/**
 * Whether a passed verdict of a group is about the tree that is there now, as in core/loop/assess/same-tree. Pure.
 *
 *   verdict, and the tree it left ─▶ [a question · a model · a pause · another host] ─▶ the end
 *                    └──────────────────────── compared ──────────────────────┘
 *
 * The comparison is wanted by an interruption and never by a difference. So it ends, also for a promise that writes
 * into the tree, or beside somebody who never stops writing there.
 */
import type { GroupStep } from '../group/decide.ts'
import { find, type GroupState, type NodeState } from '../group/state.ts'
import type { Growth } from './program.ts'

/** The state as a host may take it: what happened to the tree before this host came, it has not seen. */
export function seenBy(state: GroupState, epoch: number): GroupState {
  return epoch === state.epoch ? state : { ...state, interruptedSeq: state.seq + 1 }
}

/** `since`: the event of the verdict, of several the first one. `tree`: what the newest one left; null: not saved. */
type JudgedTree = { since: number; tree: string | null }

/** `verify`: the tree is another one, or was not saved, so only a new verdict can tell. */
type TreeCheck = 'known' | 'verify' | { compareWith: string }

export function sameAsJudged(
  { interruptedSeq, compared }: GroupState,
  { since, tree }: JudgedTree,
): TreeCheck {
  const newest = compared && compared.seq > since ? compared : { seq: since, same: true }
  if (!newest.same) return 'verify'
  if (interruptedSeq <= newest.seq) return 'known'
  return tree === null ? 'verify' : { compareWith: tree }
}

/**
 * Of the result that was brought into the tree, when the group is about to complete on it; null once it is known. In
 * another tree the apply is done again: the result is there already, so that only its promise is run.
 */
export function verifiedAgain(state: GroupState, { node, applying }: NodeState): Growth | null {
  const { checked, results } = applying
  // Picked files are applied without a promise.
  if (!checked || !results || results.length === 0) return null
  const same = sameAsJudged(state, { since: checked.seq, tree: checked.tree })
  if (same === 'known') return null
  return same === 'verify' ? { reopen: node.id, because: { kind: 'tree-edited' } } : same
}

/** Nothing begins meanwhile, and nothing runs in the tree: it would be about an unknown tree, and may write there. */
export function compareSteps(
  state: GroupState,
  { compareWith }: { compareWith: string },
  underWay: GroupStep[],
): GroupStep[] {
  const isElsewhere = (step: GroupStep) => {
    const node = step.kind === 'run' ? find(state, step.node)?.node : undefined
    return node?.kind !== 'command' || node.of !== null || node.purpose === 'hook'
  }
  return [...underWay.filter(isElsewhere), { kind: 'compare', compareWith }]
}
