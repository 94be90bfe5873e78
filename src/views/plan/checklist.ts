/** The checklist before the work, as a person sees it: a ticked row with what was found, an empty one with what is not. */
import type { GroupState } from '../../core/group/state.ts'
import { type ChecklistRow, startChecklist } from '../../core/plan/checklist.ts'
import { startFacts } from '../../core/programs/plan/clear.ts'
import { outlineOf } from '../../core/programs/plan/outline.ts'
import { safeLine } from '../text/plain-text.ts'

export function checklistIn(state: GroupState, announcement: string): ChecklistRow[] {
  const tasks = outlineOf(state).tasks.map(({ subject }) => subject)
  return startChecklist(startFacts(state, { tasks, announcement }))
}

export function checklistLines(rows: readonly ChecklistRow[]): string[] {
  return rows.map(({ row, found }) => safeLine(found === null ? `□ ${row}: unclear` : `☑ ${row}: ${found}`))
}
