/**
 * The breakers: the limits that stop a loop before it wastes more, each with its counter. One table;
 * core/loop/decide says what happens when a breaker trips.
 */
import { defaultLimits } from '../../model/loop/defaults.ts'
import type { BreakerLimits, Spec } from '../../model/loop/spec.ts'
import type { State } from './state.ts'
import type { Summary } from './summary.ts'

export type BreakerName = keyof BreakerLimits

/**
 * `limit` null: the breaker is off. `count` null: unknown (the agent does not report it, or changes are not
 * saved).
 */
export type Breaker = { name: BreakerName; count: number | null; limit: number | null }

export function limitOf(spec: Spec, name: BreakerName): number | null {
  return (spec.breakers ?? defaultLimits)[name]
}

export function breakers({ spec, judged, limits }: State): Breaker[] {
  const counts: Record<BreakerName, number | null> = {
    stuck: judged.unmetInRow,
    sameError: judged.sameErrorInRow,
    sameFile: judged.edited?.times ?? null,
    noChange: spec.checkpoint === 'none' ? null : judged.unchangedInRow,
    agentErrors: limits.agentErrorsInRow,
    promiseErrors: judged.promiseErrorsInRow,
  }
  return (Object.keys(defaultLimits) as BreakerName[]).map(name => ({
    name,
    count: counts[name],
    limit: limitOf(spec, name),
  }))
}

export function hasTripped(state: State, name: BreakerName): boolean {
  const breaker = breakers(state).find(candidate => candidate.name === name)
  return breaker?.limit != null && (breaker.count ?? 0) >= breaker.limit
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

type Used = Pick<Summary, 'iteration' | 'maxIterations' | 'costUsd' | 'budgetUsd'>

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
