/** `.loop/PROGRESS.md`: the state of a loop for a person who opens the project in an editor. */
import { type CriterionState, criterionStates } from '../../core/loop/criteria.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { formatCost, formatMoney } from '../../model/units.ts'
import { reasonWords } from '../words/message.ts'

export function progressPage(state: State, now: number): string {
  const summary = summarize(state)
  const reason = reasonWords(summary, now)
  const criteria = criterionStates(state)
  const done = criteria.filter(({ met }) => met)
  const [current, ...later] = criteria.filter(({ met }) => !met)
  const isKnown = summary.costUsd !== null || state.work.runs === 0
  const spent = isKnown ? formatCost(summary.costUsd ?? 0, summary) : 'unknown'
  const budget = summary.budgetUsd === null ? 'none' : formatMoney(summary.budgetUsd)
  const lines = [
    `# Loop Progress: ${title(summary.prompt)}`,
    '',
    `**Status:** ${summary.status}${reason ? ` (${reason})` : ''} | Iteration ${summary.iteration} | Cost: ${spent}/${budget}`,
    ...section('✅ Completed', done),
    ...section('🔄 In Progress', current ? [current] : []),
    ...section('⏳ Pending', later),
    '',
    '## 📊 Metrics',
    `- Tasks: ${done.length}/${criteria.length} complete`,
    `- Stuck count: ${state.judged.unmetInRow}`,
    '- Counsel consulted: No',
  ]
  return `${lines.map(safeLine).join('\n')}\n`
}

function section(heading: string, criteria: CriterionState[]): string[] {
  if (criteria.length === 0) return []
  return ['', `## ${heading}`, ...criteria.map(item)]
}

function item({ name, met, verdict, why }: CriterionState): string {
  return `- [${met ? 'x' : ' '}] ${oneLine(name)}: ${verdict ? `${verdict}, ` : ''}${why}`
}

function title(prompt: string): string {
  const line = oneLine(prompt)
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

function oneLine(text: string): string {
  return text.trim().split('\n')[0] ?? ''
}
