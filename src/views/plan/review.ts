/**
 * The reviews of a plan for people: the findings of each round, which of them stand and why, and the decisions about
 * them.
 */
import type { GroupState } from '../../core/group/state.ts'
import { openWarningsIn, resolution, reviewRounds, standingIn } from '../../core/plan/review.ts'
import { count } from '../../model/units.ts'

/** Every round with its findings and the answers of people. */
export function roundsOf(state: GroupState) {
  return reviewRounds(state).map(round => ({
    round,
    findings: standingIn(state, round).map(one => ({ ...one, resolved: resolution(state, one.id, round) })),
  }))
}

export function planReview(state: GroupState): string[] {
  const rounds = roundsOf(state)
  if (rounds.length === 0) return [`Plan ${state.id} has not been reviewed yet.`]
  return rounds.flatMap(({ round, findings }) => {
    const blockers = findings.filter(({ severity }) => severity === 'BLOCKER').length
    const head = `Review ${round}: ${count(findings.length, 'finding')}, ${count(blockers, 'standing blocker')}`
    const rows = findings.flatMap(
      ({ id, severity, claimed, file, line, quote, problem, fix, grounds, resolved }) => [
        `${severity.padEnd(10)} ${id} ${file}:${line}${resolved ? ` (${resolved})` : ''}`,
        `    ${quote.trim()}`,
        `  ${problem} Fix: ${fix}`,
        `  ${grounds.length > 0 ? grounds.join(', ') : claimed === severity ? 'without a second look' : `said to be a ${claimed}, and not confirmed`}`,
      ],
    )
    return [
      head,
      ...rows,
      ...(rows.length > 0
        ? [`To decide about one: loop review ${state.id} <finding> approve|task|discuss|skip`]
        : []),
    ]
  })
}

/** Warnings that nobody has decided about, of all rounds. */
export function openWarnings(state: GroupState): string[] {
  return openWarningsIn(state).map(
    ({ id, file, line, problem }) => `WARNING ${id} at ${file}:${line}, not acknowledged: ${problem}`,
  )
}
