/** The findings of a plan's reviews, round by round, as the page folds them. */
import type { GroupState } from '../../../src/core/group/state.ts'
import { roundsOf } from '../../../src/views/plan/review.ts'

export type Round = ReturnType<typeof roundsOf>[number]
export type ShownFinding = Round['findings'][number]

/** The finding in the newest round that has it. */
export function findingCalled(state: GroupState, id: string): ShownFinding | null {
  return (
    roundsOf(state)
      .flatMap(({ findings }) => findings)
      .findLast(finding => finding.id === id) ?? null
  )
}
