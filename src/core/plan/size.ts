/**
 * How many tasks a workload has, and which documents are written before them. The tables are those of the
 * specification's second source.
 */
import type { PhaseCombination, Workload } from '../../model/plan/shape.ts'

/** The number of tasks for each workload. */
export const taskCounts: Record<Workload, { least: number; most: number }> = {
  'a few lines': { least: 1, most: 1 },
  'one module': { least: 2, most: 3 },
  'multiple modules': { least: 4, most: 6 },
}

/** The kind of task that each combination of phases is for. */
export const phaseReasons: Record<PhaseCombination, string> = {
  tasks: 'Clear, small scope',
  'plan → tasks': 'Need code understanding',
  'plan → design → tasks': 'Need technical design',
  'plan → requirements → design → tasks': 'Unclear requirements',
}

export const planDocuments = ['requirements', 'design', 'plan'] as const
export type PlanDocument = (typeof planDocuments)[number]

/** With this many tasks, the requirements are always written down. */
const manyTasks = 6

/** In the order in which `_context.md` lists them. */
export function documentsFor(phases: PhaseCombination, tasks: number): PlanDocument[] {
  const named = phases.split(' → ')
  return planDocuments.filter(
    document => named.includes(document) || (document === 'requirements' && tasks >= manyTasks),
  )
}
