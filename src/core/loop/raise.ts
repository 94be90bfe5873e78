/**
 * What a resume has to raise because it is used up: iterations, money. One rule for whoever admits a resume, offers
 * one at a terminal, or names the command for it.
 */
import type { Summary } from './summary.ts'

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
