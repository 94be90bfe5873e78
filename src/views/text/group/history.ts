/** The history of a group, node by node: result, duration, changes and cost. */

import type { GroupState, NodeState } from '../../../core/group/state.ts'
import { checkVerdict } from '../../../core/loop/verdict.ts'
import { safeLine } from '../../../core/text/plain-text.ts'
import { nodeReasonWords } from '../../../failures/node.ts'
import { formatCost, formatDuration } from '../../../model/units.ts'
import { formatChanges } from '../../words/message.ts'
import { checkWords } from '../../words/plan.ts'
import { shortReason } from '../../words/reasons.ts'
import { fittedTable } from '../fitted-table.ts'

const head = ['NODE', 'KIND', 'LOOP-ID', 'STATE', 'ITER', 'DURATION', 'CHANGES', 'COST', 'RESULT']

/** `width`: of the terminal. */
export function groupHistory(state: GroupState, width: number | null = null): string[] {
  const names = state.checkpoints.map(({ name }) => name)
  return [
    ...fittedTable([head, ...state.nodes.map(rowOf)], { width, spare: ['KIND', 'ITER', 'DURATION'] }),
    '',
    `Checkpoints of the work tree: ${names.join(', ') || 'none'}`,
  ].map(safeLine)
}

function rowOf(one: NodeState): string[] {
  const { node, member, stage, end } = one
  return [
    node.id,
    node.kind,
    member ?? '–',
    end ? (isCheck(one) ? 'judged' : end.how) : stage,
    end?.iterations === undefined ? '–' : String(end.iterations),
    end?.durationMs === undefined ? '–' : formatDuration(end.durationMs),
    end?.changes ? formatChanges(end.changes) : '–',
    end?.costUsd == null ? '–' : formatCost(end.costUsd, { costEstimated: false }),
    resultWords(one),
  ]
}

/** A check of a plan's gate "fails" where nothing forbidden is found: its result says what it means. */
function isCheck({ node }: NodeState): boolean {
  return node.kind === 'command' && node.judges !== undefined
}

function resultWords({ node, end, rested, skipped, dropped }: NodeState): string {
  if (node.kind === 'command' && node.judges && end)
    return checkWords({ ...node.judges, ...checkVerdict(end) })
  if (end?.choice?.winner) return end.choice.winner
  const said = end?.why ?? end?.answer ?? (end?.value == null ? undefined : String(end.value))
  const reason = end?.reason !== undefined && end.reason !== end.how ? shortReason(end.reason) : undefined
  if (said === undefined && dropped) return nodeReasonWords(dropped)
  return said ?? reason ?? (rested ? shortReason(rested.reason) : nodeReasonWords(skipped))
}
