/** Words about a plan: what its shape lacks, why its tasks cannot be ordered, what its gate has found. */
import type { CheckVerdict } from '../../core/loop/verdict.ts'
import { leastMustNots, type PreWorkProblem } from '../../core/plan/shape-file.ts'

export function preWorkWords(problem: PreWorkProblem): string {
  switch (problem.kind) {
    case 'no-criteria':
      return 'No criterion is named: nothing would say when the work is done.'
    case 'same-name':
      return `Two criteria are called "${problem.name}"; give each a name of its own.`
    case 'no-type':
      return `"${problem.name}" does not say how it is verified: execution output, observation, measurement, reasoned inference or code review.`
    case 'no-command':
      return `"${problem.name}" is verified by ${problem.verification} and names no command that exits 0 once it is met.`
    case 'assumption':
      return `"${problem.name}" is an assumption, which can never be met; say how it can be seen.`
    case 'must-not-without-command':
      return `"${problem.name}" must not happen, but no command says whether it does.`
    case 'few-must-nots':
      return `${problem.count} of at least ${leastMustNots} things are named that must not happen.`
    default:
      return problem satisfies never
  }
}

type Checked = CheckVerdict & { name: string; forbidden: boolean }

/** `criterion: tests pass – met`, `must not happen: a test is skipped – does not happen`. */
export function checkWords({ name, forbidden, verdict, why }: Checked): string {
  if (verdict === 'ERROR') return `${kindOf(forbidden)}: ${name} – cannot be judged (${why})`
  if (forbidden) return `${kindOf(forbidden)}: ${name} – ${forbiddenVerdicts[verdict]}`
  return `${kindOf(forbidden)}: ${name} – ${verdict === 'PASS' ? 'met' : `not met (${why})`}`
}

/** For a forbidden thing, PASS is bad news. */
export const forbiddenVerdicts = { PASS: 'happens', FAIL: 'does not happen', ERROR: 'cannot be judged' }

function kindOf(forbidden: boolean): string {
  return forbidden ? 'must not happen' : 'criterion'
}
