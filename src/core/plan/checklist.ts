/**
 * The checklist before the work begins: the eight rows of the specification's first source, each with what was
 * found. A row without a finding is unclear, and one unclear row stops the start.
 */
import type { Reversibility, Shape } from '../../model/loop/assessment.ts'

/** Null if unknown or not done. */
export type StartFacts = {
  score: number | null
  fit: number | null
  shape: Shape | null
  reversibility: Reversibility | null
  criteria: readonly string[] | null
  tasks: readonly string[] | null
  /** The list that contains the tasks. */
  taskList: string | null
  /** The names of the criteria in `.loop/state.json`. */
  stateCriteria: readonly string[] | null
  announcement: string | null
}

/** The texts of the rows, without the parts in brackets. */
export const checklistRows = [
  'Score the spec',
  'Determine shape',
  'Classify reversibility',
  'Extract success criteria from spec',
  'Decompose into concrete steps',
  'Create task with state schema',
  'Write .loop/state.json with criteria array',
  'Announce',
] as const

export type ChecklistRow = { row: (typeof checklistRows)[number]; found: string | null }

export function startChecklist(facts: StartFacts): ChecklistRow[] {
  const found: Record<(typeof checklistRows)[number], string | null> = {
    'Score the spec': facts.score === null ? null : `${facts.score}/10`,
    // A blocked spec is asked about first; it has no shape to work in.
    'Determine shape':
      facts.shape === null || facts.shape === 'blocked'
        ? null
        : `${facts.shape}${facts.fit === null ? '' : `, fit ${facts.fit}`}`,
    'Classify reversibility': facts.reversibility && `Type ${facts.reversibility}`,
    'Extract success criteria from spec': listed(facts.criteria),
    'Decompose into concrete steps': counted(facts.tasks, 'step'),
    'Create task with state schema': facts.taskList && `list ${facts.taskList}`,
    'Write .loop/state.json with criteria array': isSame(facts.criteria, facts.stateCriteria)
      ? counted(facts.stateCriteria, 'criterion', 'criteria')
      : null,
    Announce: facts.announcement,
  }
  return checklistRows.map(row => ({ row, found: found[row] }))
}

export function unclearRows(rows: readonly ChecklistRow[]): string[] {
  return rows.filter(({ found }) => found === null).map(({ row }) => row)
}

function listed(names: readonly string[] | null): string | null {
  return names && names.length > 0 ? names.join(', ') : null
}

function counted(names: readonly string[] | null, one: string, many = `${one}s`): string | null {
  if (!names || names.length === 0) return null
  return `${names.length} ${names.length === 1 ? one : many}`
}

function isSame(some: readonly string[] | null, others: readonly string[] | null): boolean {
  return (
    some !== null &&
    others !== null &&
    some.length === others.length &&
    some.every(name => others.includes(name))
  )
}
