/** The checklist before the work, for people: ticked rows with the finding, empty rows with what is missing. */
import type { GroupState } from '../../core/group/state.ts'
import { type ChecklistRow, startChecklist } from '../../core/plan/checklist.ts'
import { startFacts } from '../../core/programs/plan/clear.ts'
import { outlineOf } from '../../core/programs/plan/outline.ts'
import { safeLine } from '../../core/text/plain-text.ts'

export function checklistIn(state: GroupState, announcement: string): ChecklistRow[] {
  const tasks = outlineOf(state).tasks.map(({ subject }) => subject)
  return startChecklist(startFacts(state, { tasks, announcement }))
}

export function checklistLines(rows: readonly ChecklistRow[]): string[] {
  return rows.map(({ row, found }) => safeLine(found === null ? `□ ${row}: unclear` : `☑ ${row}: ${found}`))
}
