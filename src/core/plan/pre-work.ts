/**
 * The gate before the work: a shape is accepted if every criterion has a type and a judge (a command, or a person if
 * its type allows one), and at least two things are named that must not happen. Otherwise it goes back to the stage
 * `shape` with what is missing.
 */
import type { Verification } from '../../model/loop/spec.ts'

type JudgedShape = {
  criteria: readonly { name: string; command: string | null; verification: Verification | null }[]
  mustNot: readonly { name: string; command: string | null }[]
}

export type PreWorkProblem =
  | { kind: 'no-criteria' }
  | { kind: 'same-name'; name: string }
  | { kind: 'no-type'; name: string }
  | { kind: 'no-command'; name: string; verification: Verification }
  /** It can never be met, so the loop could never complete. */
  | { kind: 'assumption'; name: string }
  | { kind: 'must-not-without-command'; name: string }
  | { kind: 'few-must-nots'; count: number }

export const leastMustNots = 2

/** The types that a person or a review can confirm. */
const byPeople: readonly Verification[] = ['observation', 'code review', 'reasoned inference']

export function preWorkProblems({ criteria, mustNot }: JudgedShape): PreWorkProblem[] {
  const problems: PreWorkProblem[] = criteria.length === 0 ? [{ kind: 'no-criteria' }] : []
  const names = criteria.map(({ name }) => name)
  for (const name of new Set(names.filter((one, at) => names.indexOf(one) !== at)))
    problems.push({ kind: 'same-name', name })
  for (const { name, command, verification } of criteria) {
    if (verification === null) problems.push({ kind: 'no-type', name })
    else if (verification === 'assumption') problems.push({ kind: 'assumption', name })
    else if (command === null && !byPeople.includes(verification))
      problems.push({ kind: 'no-command', name, verification })
  }
  for (const { name, command } of mustNot)
    if (command === null) problems.push({ kind: 'must-not-without-command', name })
  if (mustNot.length < leastMustNots) problems.push({ kind: 'few-must-nots', count: mustNot.length })
  return problems
}
