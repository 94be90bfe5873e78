/**
 * What each breaker counts, whether one has tripped, and the limits that a resume raises. All else about a breaker is
 * its row in model/loop/breakers.
 */
import { type BreakerName, breakerRows, breakersAsJudged, defaultLimits } from '../../model/loop/breakers.ts'
import type { Spec } from '../../model/loop/spec.ts'
import type { Head } from '../head.ts'
import type { State } from './state.ts'

/**
 * `limit` null: the breaker is off. `count` null: unknown (the agent does not report it, or changes are not
 * saved).
 */
export type Breaker = { name: BreakerName; count: number | null; limit: number | null }

export function limitOf(spec: Spec, name: BreakerName): number | null {
  return (spec.breakers ?? defaultLimits)[name]
}

const counts: Record<BreakerName, (state: State) => number | null> = {
  stuck: ({ judged }) => judged.unmetInRow,
  sameError: ({ judged }) => judged.sameErrorInRow,
  sameFile: ({ judged }) => judged.edited?.times ?? null,
  noChange: ({ spec, judged }) => (spec.checkpoint === 'none' ? null : judged.unchangedInRow),
  agentErrors: ({ limits }) => limits.agentErrorsInRow,
  promiseErrors: ({ judged }) => judged.promiseErrorsInRow,
}

export function breakers(state: State): Breaker[] {
  return breakerRows.map(({ name }) => ({
    name,
    count: counts[name](state),
    limit: limitOf(state.spec, name),
  }))
}

export function hasTripped(state: State, name: BreakerName): boolean {
  const limit = limitOf(state.spec, name)
  return limit !== null && (counts[name](state) ?? 0) >= limit
}

/** The breaker that stops this loop: the first that has tripped. */
export function trippedBreaker(state: State) {
  const isWatched = state.assessed.shape !== 'tool'
  return breakersAsJudged.find(
    ({ name, action }) => hasTripped(state, name) && (isWatched || action !== 'pause-if-watched'),
  )
}

/** Advice is due once per failure with progress in between; a run without any work does not count. */
export function wantsAdvice({ spec, judged, limits }: State): boolean {
  return spec.counsel === true && judged.advice === 'due' && limits.agentErrorsInRow === 0
}

/**
 * The limits that a resume must raise because they are used up. One rule for admitting a resume, for offering
 * one at a terminal, and for printing its command.
 */
export type Raise = { maxIterations?: number; budgetUsd?: number }

type Used = Pick<Head, 'iteration' | 'maxIterations' | 'costUsd' | 'budgetUsd'>

/** `needsAnother`: the loop needs at least one more iteration to continue. */
export function neededRaise(used: Used, needsAnother: boolean): Raise {
  const { iteration, maxIterations, costUsd, budgetUsd } = used
  const isOver = needsAnother && maxIterations !== null && iteration >= maxIterations
  return {
    ...(isOver && { maxIterations: iteration + 10 }),
    ...(isSpent({ budgetUsd, costUsd }) && { budgetUsd: Math.ceil((costUsd ?? 0) * 2) }),
  }
}

/** ` --max-iterations 20 --budget 50` */
export function raiseFlags({ maxIterations, budgetUsd }: Raise): string {
  const iterations = maxIterations === undefined ? '' : ` --max-iterations ${maxIterations}`
  return iterations + (budgetUsd === undefined ? '' : ` --budget ${budgetUsd}`)
}

/** Is the budget used up by what is known to be spent? */
export function isSpent({
  budgetUsd,
  costUsd,
}: {
  budgetUsd: number | null
  costUsd: number | null
}): boolean {
  return budgetUsd !== null && (costUsd ?? 0) >= budgetUsd
}
