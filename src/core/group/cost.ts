/** What the members of a group have cost together by now; the row of the group itself knows only those that ended. */
import type { Summary } from '../loop/summary.ts'

type Spent = Pick<Summary, 'costUsd' | 'costEstimated' | 'costIncomplete' | 'iteration'>

/** `costUsd`: null while nothing is known. */
export function costTogether(members: readonly Spent[]): Omit<Spent, 'iteration'> {
  const known = members.flatMap(({ costUsd }) => costUsd ?? [])
  // One whose agent says nothing of its cost has cost something all the same.
  const isIncomplete = ({ costUsd, costIncomplete, iteration }: Spent) =>
    costIncomplete === true || (costUsd === null && iteration > 0)
  return {
    costUsd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    costEstimated: members.some(({ costEstimated }) => costEstimated),
    ...(known.length > 0 && members.some(isIncomplete) && { costIncomplete: true }),
  }
}
