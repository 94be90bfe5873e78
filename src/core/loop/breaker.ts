/**
 * The breakers: what stops a loop before it wastes more, each with its counter and its limit. One table; what
 * happens when one trips is core/loop/decide's business.
 */
import { defaultLimits } from '../../model/loop/defaults.ts'
import type { BreakerLimits, Spec } from '../../model/loop/spec.ts'
import type { State } from './state.ts'
import type { Summary } from './summary.ts'

export type BreakerName = keyof BreakerLimits

/** `limit` null: off. `count` null: not known (the agent does not say, or changes are not saved). */
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

/**
 * What a resume has to raise because it is used up. One rule for whoever admits a resume, offers one at a terminal, or
 * names the command for it.
 */
export type Raise = { maxIterations?: number; budgetUsd?: number }

type Used = Pick<Summary, 'iteration' | 'maxIterations' | 'costUsd' | 'budgetUsd'>

/** `needsAnother`: it can go on only by another iteration. */
export function neededRaise(used: Used, needsAnother: boolean): Raise {
  const { iteration, maxIterations, costUsd, budgetUsd } = used
  const isOver = needsAnother && maxIterations !== null && iteration >= maxIterations
  const isSpent = budgetUsd !== null && (costUsd ?? 0) >= budgetUsd
  return {
    ...(isOver && { maxIterations: iteration + 10 }),
    ...(isSpent && { budgetUsd: Math.ceil((costUsd ?? 0) * 2) }),
  }
}

/** ` --max-iterations 20 --budget 50` */
export function raiseFlags({ maxIterations, budgetUsd }: Raise): string {
  const iterations = maxIterations === undefined ? '' : ` --max-iterations ${maxIterations}`
  return iterations + (budgetUsd === undefined ? '' : ` --budget ${budgetUsd}`)
}
