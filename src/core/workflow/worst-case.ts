/** The worst case of a workflow before it starts: every loop at its limit, every retry and attempt used. */
import type { WorkflowSpec } from '../../model/group/workflow.ts'

export type WorstCase = {
  loops: number
  /** The starts of all loops, with attempts and retries. */
  starts: number
  /** Null: a loop has no limit. */
  iterations: number | null
  /** Null: no limit. */
  costUsd: number | null
}

export function worstCase({ loops, budgetUsd }: Pick<WorkflowSpec, 'loops' | 'budgetUsd'>): WorstCase {
  const startsOf = (loop: WorkflowSpec['loops'][number]) => (loop.bestOf ?? 1) * (1 + (loop.retry?.max ?? 0))
  const together = (each: (loop: WorkflowSpec['loops'][number]) => number | null) =>
    loops.reduce<number | null>((sum, loop) => {
      const most = each(loop)
      return sum === null || most === null ? null : sum + most * startsOf(loop)
    }, 0)
  const eachToItsOwn = together(({ spec }) => spec.budgetUsd)
  const limits = [budgetUsd, eachToItsOwn].filter(usd => usd !== null)
  return {
    loops: loops.length,
    starts: loops.reduce((sum, loop) => sum + startsOf(loop), 0),
    iterations: together(({ spec }) => spec.maxIterations),
    costUsd: limits.length > 0 ? Math.min(...limits) : null,
  }
}
