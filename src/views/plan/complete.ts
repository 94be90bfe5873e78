/** The end of a plan: `<loop-complete>` with a line per task, and the box with the facts of its reviews. */
import type { GroupState } from '../../core/group/state.ts'
import { outlineOf, type PlanOutline } from '../../core/programs/plan/outline.ts'
import { reversibilityIn } from '../../core/programs/plan/read.ts'

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

/** SHIP needs strong evidence, and a change that can be taken back. */
function verdictOf(state: GroupState, { criteria, confidence }: PlanOutline): Verdict {
  const isMet = state.outcome?.kind === 'completed' && criteria.every(({ met }) => met)
  if (!isMet || (confidence !== null && confidence < leastConfidence)) return 'RESEARCH'
  const isWeak = criteria.every(({ command }) => command === null)
  return reversibilityIn(state) === '1' || isWeak ? 'MONITOR' : 'SHIP'
}
