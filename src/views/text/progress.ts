/** `.loop/PROGRESS.md` of a loop or of a group, in the same parts, for a person who opens the project in an editor. */

import { type GroupState, isSettled, type NodeState } from '../../core/group/state.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import { type CriterionState, criterionStates } from '../../core/loop/criteria.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { clip, oneLine, safeLine } from '../../core/text/plain-text.ts'
import { nodeReasonWords } from '../../failures/node.ts'
import { formatCost, formatMoney } from '../../model/units.ts'
import { programWords } from '../words/group.ts'
import { reasonWords } from '../words/message.ts'
import { shortReason } from '../words/reasons.ts'

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
    ...section('✅ Completed', done.map(item)),
    ...section('🔄 In Progress', current ? [item(current)] : []),
    ...section('⏳ Pending', later.map(item)),
    '',
    '## 📊 Metrics',
    `- Tasks: ${done.length}/${criteria.length} complete`,
    `- Stuck count: ${state.judged.unmetInRow}`,
    '- Counsel consulted: No',
  ]
  return `${lines.map(safeLine).join('\n')}\n`
}

function section(heading: string, items: string[]): string[] {
  return items.length === 0 ? [] : ['', `## ${heading}`, ...items]
}

function item({ name, met, verdict, why }: CriterionState): string {
  return `- [${met ? 'x' : ' '}] ${firstLine(name)}: ${verdict ? `${verdict}, ` : ''}${why}`
}

function title(prompt: string): string {
  const line = firstLine(prompt)
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? ''
}

export function groupProgressPage(state: GroupState, now: number): string {
  const summary = summarizeGroup(state)
  const reason = reasonWords(summary, now)
  const { nodes } = state
  const spent = summary.costUsd === null ? 'unknown' : formatMoney(summary.costUsd)
  const budget = summary.budgetUsd === null ? 'none' : formatMoney(summary.budgetUsd)
  const over = nodes.filter(isSettled)
  const lines = [
    `# Loop Progress: ${clip(oneLine(summary.prompt), 80)}`,
    '',
    `**Status:** ${summary.status}${reason ? ` (${reason})` : ''} | Group ${state.id}, ${programWords(summary)} | Cost: ${spent}/${budget}`,
    ...section('✅ Completed', over.map(nodeItem)),
    ...section(
      '🔄 In Progress',
      nodes.filter(one => !isSettled(one) && one.stage !== 'planned').map(nodeItem),
    ),
    ...section('⏳ Pending', nodes.filter(({ stage }) => stage === 'planned').map(nodeItem)),
    '',
    '## 📊 Metrics',
    `- Nodes: ${over.length}/${nodes.length} over`,
  ]
  return `${lines.map(safeLine).join('\n')}\n`
}

function nodeItem({ node, stage, end, member, rested, skipped }: NodeState): string {
  const of = member === null ? '' : ` (${member})`
  const how = end
    ? `${end.how}${end.reason && end.reason !== end.how ? `, ${shortReason(end.reason)}` : ''}`
    : stage
  const why = nodeReasonWords(skipped) || (rested ? shortReason(rested.reason) : '')
  const isDone = end?.how === 'completed'
  return `- [${isDone ? 'x' : ' '}] ${node.id}${of}: ${how}${why === '' ? '' : `, ${why}`}`
}
