/** The budget of a group, as a member asks for it before each run: one sum for all its members, whoever hosts them. */
import type { Task } from './steps.ts'

/** What all members of its group have cost together, as far as it is known: only runs in flight can come on top. */
export function isOverGroupBudget({ world: { store }, state }: Task): boolean {
  const { group } = state.spec
  const head = group === undefined ? null : store.heads.get(group)
  if (group === undefined || !head?.ok || head.value.budgetUsd === null) return false
  const costs = store.journals.inGroup(group).map(id => {
    const member = store.heads.get(id)
    return member.ok ? (member.value.costUsd ?? 0) : 0
  })
  return costs.reduce((sum, cost) => sum + cost, 0) >= head.value.budgetUsd
}
