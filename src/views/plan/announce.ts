/**
 * The lines that a plan prints while it runs, its beginning in the words of the specification, its stages and learnings;
 * and its end: `<loop-complete>` with a line per task, and the box with the facts of its reviews.
 */
import { find, type GroupState, type NodeState } from '../../core/group/state.ts'
import { steeredFiles } from '../../core/plan/final.ts'
import { type ChecklistRow, startChecklist, startFacts } from '../../core/plan/gates.ts'
import { autonomyOf, scoreIn } from '../../core/plan/intent.ts'
import { outlineOf, type PlanOutline } from '../../core/plan/outline.ts'
import { reversibilityIn } from '../../core/plan/read.ts'
import { openWarningsIn } from '../../core/plan/review.ts'
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

const lights = { SHIP: '🟢', MONITOR: '🟡', RESEARCH: '🔴' } as const
type Verdict = keyof typeof lights

const leastConfidence = 70

export function planComplete(state: GroupState): string[] {
  const outline = outlineOf(state)
  const isComplete = state.outcome?.kind === 'completed'
  const tasks = outline.tasks.map(({ id, subject }) => `- ${id}: ✓ ${subject}`)
  const box = planBox(state, outline)
  return isComplete
    ? ['<loop-complete>', 'All tasks verified:', ...tasks, '', ...box, '</loop-complete>']
    : box
}

/** In the format of the specification's third source. */
function planBox(state: GroupState, outline: PlanOutline): string[] {
  const { tasks, criteria, confidence, alt, risk, shape } = outline
  const done = tasks.filter(({ status }) => status === 'completed').length
  const verdict = verdictOf(state, outline)
  const verified = [...new Set(criteria.filter(({ met }) => met).map(({ verification }) => verification))]
  const points = shape?.points ?? criteria.length
  const facts = [
    `Verified: ${verified.join(', ') || 'nothing'}`,
    `Tasks: ${done}/${tasks.length} complete`,
    `Subjective: ~${confidence === null ? '–' : `${confidence}%`} · Type ${reversibilityIn(state)} · ${points}pt`,
    ...doubtsIn(state),
  ]
  const notes = [...(alt === null ? [] : [`↳ Alt: ${alt}`]), ...(risk === null ? [] : [`↳ Risk: ${risk}`])]
  const title = `${lights[verdict]} ${verdict}`
  const width = Math.max(36, ...[...facts, ...notes].map(line => line.length + 2))
  const row = (line: string) => `│ ${line.padEnd(width - 2)} │`
  return [
    `╭─ ${title} ${'─'.repeat(width - title.length - 3)}╮`,
    ...facts.map(row),
    ...(notes.length > 0 ? [`├${'─'.repeat(width)}┤`, ...notes.map(row)] : []),
    `╰${'─'.repeat(width)}╯`,
  ]
}

/** A task whose own promise may have passed without the work. */
function hasDoubts({ node, end }: NodeState): boolean {
  return node.kind === 'loop' && !node.reads && end?.how === 'completed' && (end.doubts ?? 0) > 0
}

/** `Look at: cart.test.js, T-002`: what steers the criteria, and tasks whose own end says why. */
function doubtsIn(state: GroupState): string[] {
  const named = doubtful(state)
  return named === '' ? [] : [`Look at: ${named}`]
}

function doubtful(state: GroupState): string {
  const tasks = state.nodes.filter(hasDoubts).map(({ node }) => node.id)
  const warnings = openWarningsIn(state).map(({ id }) => id)
  return safeLine([...steeredFiles(state).slice(0, 10), ...tasks, ...warnings].join(', '))
}

/** What asks for a look after a plan that is done; empty if nothing does. */
export function planObjections(state: GroupState): string {
  if (verdictOf(state, outlineOf(state)) === 'SHIP') return ''
  const named = doubtful(state)
  if (named !== '') return named
  return reversibilityIn(state) === '1' ? 'a change that is hard to undo' : 'its reviewers are not sure'
}

/** SHIP needs strong evidence, a change that can be taken back, no doubt how it came about and no open warning. */
function verdictOf(state: GroupState, { criteria, confidence }: PlanOutline): Verdict {
  const isMet = state.outcome?.kind === 'completed' && criteria.every(({ met }) => met)
  if (!isMet || (confidence !== null && confidence < leastConfidence)) return 'RESEARCH'
  const isWeak = criteria.every(({ command }) => command === null)
  const isInDoubt =
    steeredFiles(state).length > 0 || state.nodes.some(hasDoubts) || openWarningsIn(state).length > 0
  return reversibilityIn(state) === '1' || isWeak || isInDoubt ? 'MONITOR' : 'SHIP'
}
