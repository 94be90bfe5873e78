/** The end of a plan: `<loop-complete>` with a line per task, and the box with the facts of its reviews. */
import type { GroupState, NodeState } from '../../core/group/state.ts'
import { steeredFiles } from '../../core/plan/final.ts'
import { outlineOf, type PlanOutline } from '../../core/plan/outline.ts'
import { reversibilityIn } from '../../core/plan/read.ts'
import { openWarningsIn } from '../../core/plan/review.ts'
import { safeLine } from '../../core/text/plain-text.ts'

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
  const tasks = state.nodes.filter(hasDoubts).map(({ node }) => node.id)
  const warnings = openWarningsIn(state).map(({ id }) => id)
  const named = [...steeredFiles(state).slice(0, 10), ...tasks, ...warnings]
  return named.length === 0 ? [] : [`Look at: ${safeLine(named.join(', '))}`]
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
