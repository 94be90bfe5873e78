/**
 * The lines that a plan prints while it runs: its beginning in the words of the specification, its stages, its
 * learnings.
 */
import { find, type GroupState } from '../../core/group/state.ts'
import { type ChecklistRow, startChecklist, startFacts } from '../../core/plan/gates.ts'
import { autonomyOf, scoreIn } from '../../core/plan/intent.ts'
import { outlineOf } from '../../core/plan/outline.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import { formatMoney } from '../../model/units.ts'
import { shapeWords } from '../words/message.ts'

export function announcePlan(event: GroupRecorded, state: GroupState): string[] {
  if (event.kind === 'nodes.planned')
    return begun(
      event.data.nodes.map(({ id }) => id),
      state,
    )
  if (event.kind === 'node.ended' && event.data.node === 'tasks' && event.data.how === 'completed')
    return checklistLines(checklistIn(state, startingLine(state)))
  if (event.kind === 'node.ended' && isApplied(event, state)) return stepDone(event.data.node, state)
  if (event.kind === 'node.advised')
    return [`  counsel: ${event.data.node} goes on with what ${event.data.by} recommends`]
  if (event.kind === 'finding.resolved')
    return [`  ${event.data.by} on ${event.data.finding}: ${event.data.how}`]
  return []
}

/** `[LOOP] ✓ name complete | Progress: N/total | Next: name`: a step of a plan is a task that is in the tree. */
function stepDone(node: string, state: GroupState): string[] {
  const { tasks } = outlineOf(state)
  const named = (task: (typeof tasks)[number] | undefined) => (task ? `${task.id} ${task.subject}` : 'none')
  const done = tasks.filter(({ status }) => status === 'completed')
  const parts = [
    `[LOOP] ✓ ${named(tasks.find(({ id }) => `${id}/apply` === node))} complete`,
    `Progress: ${done.length}/${tasks.length}`,
    `Next: ${named(tasks.find(({ status }) => status !== 'completed'))}`,
  ]
  return [parts.join(' | ')]
}

function isApplied({ data }: Extract<GroupRecorded, { kind: 'node.ended' }>, state: GroupState): boolean {
  return data.how === 'completed' && find(state, data.node)?.node.kind === 'apply'
}

/** Once its tasks are known, and nothing of them is done. */
function begun(ids: readonly string[], state: GroupState): string[] {
  const { plan } = state.spec
  if (!plan || !ids.includes('T-001') || find(state, 'T-001')?.stage !== 'planned') return []
  const { tasks, shape } = outlineOf(state)
  return [
    startingLine(state),
    ...(shape ? [`  Type ${plan.reversibility} | Phases: ${shape.phases}`] : []),
    ...tasks.map(({ id, wave, subject }) => `  ${id} (wave ${wave}) ${subject}`),
  ]
}

/** In the words of the specification's first source. */
function startingLine(state: GroupState): string {
  const { plan, budgetUsd } = state.spec
  if (!plan) throw new Error('Internal error: the start of a plan that is none')
  const { workflow, reversibility } = plan
  const assessed = { shape: autonomyOf(state), score: scoreIn(state).score, workflow, reversibility }
  return [
    '[LOOP] Starting',
    `Shape: ${shapeWords(assessed)}`,
    `Workflow: ${workflow}`,
    `Steps: ${outlineOf(state).tasks.length}`,
    `Budget: ${budgetUsd === null ? 'none' : formatMoney(budgetUsd)}`,
  ].join(' | ')
}

/** The checklist before the work, for people: ticked rows with the finding, empty rows with what is missing. */
function checklistIn(state: GroupState, announcement: string): ChecklistRow[] {
  const tasks = outlineOf(state).tasks.map(({ subject }) => subject)
  return startChecklist(startFacts(state, { tasks, announcement }))
}

export function checklistLines(rows: readonly ChecklistRow[]): string[] {
  return rows.map(({ row, found }) => safeLine(found === null ? `□ ${row}: unclear` : `☑ ${row}: ${found}`))
}
