/** The budget of a group, checked by a member before each run: one sum over all members, whoever hosts them. */
import type { Task } from './steps.ts'

/** The known cost of all members together; only running runs can add to it. */
export function isOverGroupBudget({ world: { store }, state }: Task): boolean {
  const { group } = state.spec
  const head = group === undefined ? null : store.heads.get(group)
  if (group === undefined || !head?.ok || head.value.budgetUsd === null) return false
  // A person who resumes a member of an ended group can give it a budget of its own.
  if (head.value.endedAt !== null && state.spec.budgetUsd !== null) return false
  const costs = store.journals.inGroup(group).map(id => {
    const member = store.heads.get(id)
    return member.ok ? (member.value.costUsd ?? 0) : 0
  })
  return costs.reduce((sum, cost) => sum + cost, 0) >= head.value.budgetUsd
}
