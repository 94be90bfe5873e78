/** `.loop/PROGRESS.md` of a group: its nodes in the parts of a loop's page, for a person who opens it in an editor. */
import { type GroupState, isSettled, type NodeState } from '../../../core/group/state.ts'
import { summarizeGroup } from '../../../core/group/summary.ts'
import { clip, oneLine, safeLine } from '../../../core/text/plain-text.ts'
import { nodeReasonWords } from '../../../failures/node.ts'
import { formatMoney } from '../../../model/units.ts'
import { programWords } from '../../words/group.ts'
import { reasonWords } from '../../words/message.ts'
import { shortReason } from '../../words/reasons.ts'

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
    ...section('✅ Completed', over),
    ...section(
      '🔄 In Progress',
      nodes.filter(one => !isSettled(one) && one.stage !== 'planned'),
    ),
    ...section(
      '⏳ Pending',
      nodes.filter(({ stage }) => stage === 'planned'),
    ),
    '',
    '## 📊 Metrics',
    `- Nodes: ${over.length}/${nodes.length} over`,
  ]
  return `${lines.map(safeLine).join('\n')}\n`
}

function section(heading: string, nodes: NodeState[]): string[] {
  return nodes.length === 0 ? [] : ['', `## ${heading}`, ...nodes.map(item)]
}

function item({ node, stage, end, member, rested, skipped }: NodeState): string {
  const of = member === null ? '' : ` (${member})`
  const how = end
    ? `${end.how}${end.reason && end.reason !== end.how ? `, ${shortReason(end.reason)}` : ''}`
    : stage
  const why = nodeReasonWords(skipped) || (rested ? shortReason(rested.reason) : '')
  const isDone = end?.how === 'completed'
  return `- [${isDone ? 'x' : ' '}] ${node.id}${of}: ${how}${why === '' ? '' : `, ${why}`}`
}
