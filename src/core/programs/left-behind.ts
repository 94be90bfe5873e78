/**
 * Attempts that are not waited for: of several attempts at one thing, those that rest for a reason that only a person
 * can lift, once another one has passed. If none has passed yet, they rest until somebody comes.
 */
import type { NodeReason } from '../../failures/node.ts'
import { isSettled, isWell, type NodeState } from '../group/state.ts'
import type { Growth } from './program.ts'

/** Why an attempt that rests is not waited for, once another has passed: only a person could let it go on. */
const waitsForPerson: Record<string, NodeReason> = {
  'group-budget': { kind: 'budget-spent' },
  suspect: { kind: 'suspect-rests' },
}

/** The next attempt to drop: one has passed, and all that are not over rest for such a reason, or have not begun. */
export function leftBehind(attempts: NodeState[]): Growth | null {
  const open = attempts.filter(one => !isSettled(one))
  const whyOf = ({ stage, rested }: NodeState) =>
    stage === 'rested' ? waitsForPerson[rested?.reason ?? ''] : undefined
  const why = open.map(whyOf).find(Boolean)
  if (why === undefined || !attempts.some(isWell)) return null
  if (!open.every(one => whyOf(one) !== undefined || isUnpaid(one, open))) return null
  const next = open.find(({ dropped }) => dropped === null)
  return next ? { drop: next.node.id, because: whyOf(next) ?? why } : null
}

/** An attempt that has not begun is not paid for either. */
function isUnpaid({ stage }: NodeState, open: NodeState[]): boolean {
  return stage === 'planned' && open.some(({ rested }) => rested?.reason === 'group-budget')
}
