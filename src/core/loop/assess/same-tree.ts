/**
 * Whether a passed verdict is about the tree that is there now. Pure: it decides from the recorded facts.
 *
 *   promise ─▶ iter-N-verified, PASS ─▶ [second looks · a pause · a question · another host] ─▶ the end
 *                     └──────────────────── compared ────────────────────┘
 *
 * Nobody edits the tree between a verdict and an end that follow at once, so the plain path compares nothing. A tree
 * that differs is verified again. It is compared with what the promise left, not with what it found: a promise that
 * writes into the tree would otherwise run for ever.
 */
import { verifiedName } from '../../../model/units.ts'
import { treeOf } from '../parts/tree.ts'
import type { State } from '../state.ts'

/** `verify`: the tree is another one, or was not saved, so only the promise can tell. */
type SameTree = 'known' | 'verify' | { compareWith: string }

/** `epoch`: the host that asks: it has not seen what an earlier one has seen. `afterLooks`: these took their time. */
export function sameTree({ tree, work }: State, epoch: number, afterLooks: boolean): SameTree {
  const { compared, checkpoints } = tree
  if (compared?.epoch === epoch && !(afterLooks && compared.looked)) return compared.same ? 'known' : 'verify'
  const left = treeOf(checkpoints, verifiedName(work.iteration))
  return left ? { compareWith: left } : 'verify'
}
