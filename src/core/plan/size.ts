/**
 * What the size of the work asks for: how many tasks, and which documents are written before them. The tables are
 * those of the specification's second source.
 */
import type { PhaseCombination, Workload } from '../../model/plan/shape.ts'

/** How many tasks a workload comes to. */
export const taskCounts: Record<Workload, { least: number; most: number }> = {
  'a few lines': { least: 1, most: 1 },
  'one module': { least: 2, most: 3 },
  'multiple modules': { least: 4, most: 6 },
}

/** What a task is like that a combination of phases is for. */
export const phaseReasons: Record<PhaseCombination, string> = {
  tasks: 'Clear, small scope',
  'plan → tasks': 'Need code understanding',
  'plan → design → tasks': 'Need technical design',
  'plan → requirements → design → tasks': 'Unclear requirements',
}

export const planDocuments = ['requirements', 'design', 'plan'] as const
export type PlanDocument = (typeof planDocuments)[number]

/** As many tasks want their requirements written down, whatever the phases are. */
const manyTasks = 6

/** In the order in which `_context.md` lists them. */
export function documentsFor(phases: PhaseCombination, tasks: number): PlanDocument[] {
  const named = phases.split(' → ')
  return planDocuments.filter(
    document => named.includes(document) || (document === 'requirements' && tasks >= manyTasks),
  )
}
