/**
 * The graph of a workflow: the order of its loops, cycles, and where each loop runs. A loop that never runs beside
 * another works in the main tree; every other one works in a copy, which is then applied.
 */
import type { WorkflowSpec } from '../../model/group/workflow.ts'

/** Needs that are not in the graph are ignored. */
type Linked = { id: string; needs: readonly string[] }

/** Everything that must have ended before each loop, directly or indirectly. For loops in a cycle, all of the cycle. */
export function predecessorsOf(loops: readonly Linked[]): Map<string, Set<string>> {
  const needs = new Map(loops.map(loop => [loop.id, loop.needs]))
  return new Map(
    loops.map(({ id }) => {
      const found = new Set<string>()
      const open = [...(needs.get(id) ?? [])]
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (found.has(next) || !needs.has(next)) continue
        found.add(next)
        open.push(...(needs.get(next) ?? []))
      }
      return [id, found]
    }),
  )
}

/**
 * The cycles, each once, starting with the loop that comes first in the file: a, b means that a needs b and b needs
 * a.
 */
export function circlesOf(loops: readonly Linked[]): string[][] {
  const needs = new Map(loops.map(loop => [loop.id, loop.needs]))
  const done = new Set<string>()
  const circles: string[][] = []
  const visit = (id: string, path: string[]) => {
    const at = path.indexOf(id)
    if (at !== -1) circles.push(path.slice(at))
    if (at !== -1 || done.has(id)) return
    for (const next of needs.get(id) ?? []) visit(next, [...path, id])
    done.add(id)
  }
  for (const { id } of loops) visit(id, [])
  return circles
}

export function placesOf(loops: readonly Linked[]): Map<string, 'tree' | 'copy'> {
  const ancestors = predecessorsOf(loops)
  const isBefore = (a: string, b: string) => ancestors.get(b)?.has(a) === true
  return new Map(
    loops.map(({ id }) => {
      const isAlone = loops.every(
        other => other.id === id || isBefore(id, other.id) || isBefore(other.id, id),
      )
      return [id, isAlone ? 'tree' : 'copy']
    }),
  )
}

/** The worst case of a workflow before it starts: every loop at its limit, every retry and attempt used. */
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
