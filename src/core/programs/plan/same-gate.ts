/**
 * Whether the checks of the gate are about the tree that is there now. Between them and the end of the plan there are
 * its checklist, its second look, questions to people and its lessons, and a person can edit the tree meanwhile. In
 * another tree all checks run again, and after them what is older than they are: the second look and the hold-out.
 */
import { find, type GroupState, isKind, type NodeState, openGate } from '../../group/state.ts'
import type { Growth } from '../program.ts'
import { sameAsJudged } from '../same-tree.ts'
import { checksOf, failuresAt } from './final.ts'

/** Null once it is known, and where the gate has failed: then its verdict completes nothing. */
export function sameGate(state: GroupState, round: number): Growth | null {
  const checks = checksOf(state, round)
  const ended = checks.flatMap(({ id }) => find(state, id) ?? []).filter(hasEnded)
  const [first] = ended
  const last = ended.at(-1)
  // While a question is open, a person may be in the middle of an edit; their answer calls for the comparison.
  if (!first || !last || openGate(state) || isRefused(state)) return null
  if (ended.length === checks.length && failuresAt(state, round).length > 0) return null
  const same = sameAsJudged(state, { since: first.endedSeq ?? 0, tree: treeLeft(state, last) })
  if (same === 'known') return null
  // The last one first: as long as the first one counts as ended, the others are due to run again too.
  return same === 'verify' ? { reopen: last.node.id, because: { kind: 'tree-edited' } } : same
}

function hasEnded({ stage }: NodeState): boolean {
  return stage === 'ended'
}

/** The hold-out runs after the checks and may write into the tree too. */
function treeLeft(state: GroupState, last: NodeState): string | null {
  const holdout = find(state, 'holdout')
  const isNewer = holdout && hasEnded(holdout) && (holdout.endedSeq ?? 0) > (last.endedSeq ?? 0)
  return (isNewer ? holdout : last).end?.tree ?? null
}

/** A plan that a person has refused ends: nothing is verified, and nothing mended, for it. */
function isRefused({ nodes }: GroupState): boolean {
  return nodes.some(
    one =>
      isKind(one, 'gate') &&
      (one.node.id === 'G3' || one.node.asks === 'confirm') &&
      one.stage === 'ended' &&
      one.end?.how === 'failed',
  )
}
