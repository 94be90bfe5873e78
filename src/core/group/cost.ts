/** The cost of all members of a group up to now. The group's own row counts only members that have ended. */
import type { Summary } from '../loop/summary.ts'

type Spent = Pick<Summary, 'costUsd' | 'costEstimated' | 'costIncomplete' | 'iteration'>

/** `costUsd` is null while nothing is known. */
export function costTogether(members: readonly Spent[]): Omit<Spent, 'iteration'> {
  const known = members.flatMap(({ costUsd }) => costUsd ?? [])
  // A member whose agent does not report a cost has cost something too.
  const isIncomplete = ({ costUsd, costIncomplete, iteration }: Spent) =>
    costIncomplete || (costUsd === null && iteration > 0)
  return {
    costUsd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    costEstimated: members.some(({ costEstimated }) => costEstimated),
    costIncomplete: known.length > 0 && members.some(isIncomplete),
  }
}
