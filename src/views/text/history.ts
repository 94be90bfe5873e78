/** The history of a loop by its iterations, and of a group by its nodes, as a table. */

import type { GroupState, NodeState } from '../../core/group/state.ts'
import type { Iteration } from '../../core/loop/history.ts'
import { knownOf, type Spent } from '../../core/loop/spent.ts'
import { checkVerdict } from '../../core/loop/verdict.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { nodeReasonWords } from '../../failures/node.ts'
import { formatCost, formatDuration, formatTokens } from '../../model/units.ts'
import { align, fittedTable } from '../layout/columns.ts'
import { formatChanges } from '../words/message.ts'
import { checkWords } from '../words/plan.ts'
import { shortReason } from '../words/reasons.ts'

/** A checkpoint that was removed, and when, if known. */
type Discarded = { name: string; at: number | null }

const columns = ['ITER', 'CHECKPOINT', 'PROMISE', 'DURATION', 'CHANGES']

export function historyTable(iterations: Iteration[]): string[] {
  const counted = iterations.some(row => row.tokens)
  const several = haveSeveralRun(iterations)
  const meddled = iterations.some(row => row.promiseChanges?.files)
  const rows = iterations.map(row => [
    String(row.n),
    ...(several ? [agentsOf(row).join(', ')] : []),
    row.checkpoint,
    verdictCell(row),
    formatDuration(row.durationMs),
    row.changes ? formatChanges(row.changes) : '–',
    ...(meddled ? [row.promiseChanges ? formatChanges(row.promiseChanges) : '–'] : []),
    costCell(row.spent),
    ...(counted ? [row.tokens ? formatTokens(row.tokens) : '–'] : []),
  ])
  const [first = '', ...others] = columns
  const head = [
    first,
    ...(several ? ['AGENT'] : []),
    ...others,
    ...(meddled ? ['BY PROMISE'] : []),
    'COST',
    ...(counted ? ['TOKENS'] : []),
  ]
  return align([head, ...rows])
}

function verdictCell({ verdict, isSuspect }: Iteration): string {
  if (verdict !== 'PASS') return verdict ?? '–'
  return isSuspect ? 'PASS, suspect' : 'PASS ✓'
}

function costCell(spent: Spent): string {
  return spent.costUsd === null ? '–' : formatCost(spent.costUsd, knownOf(spent))
}

/** Agents are shown only if there were several. */
export function haveSeveralRun(iterations: Iteration[]): boolean {
  return new Set(iterations.flatMap(agentsOf)).size > 1
}

/** The agents that ran, in order. */
export function agentsOf({ runs }: Pick<Iteration, 'runs'>): string[] {
  return [...new Set(runs.map(({ agent }) => agent))]
}

/** `What each left is saved too: iter-001-after to iter-010-after`; empty once some of them are removed. */
export function savedAfterWords(iterations: Iteration[], discarded: readonly Discarded[]): string[] {
  const names = iterations.flatMap(({ after }) => after ?? [])
  if (discarded.some(({ name }) => names.includes(name))) return []
  const [first, last] = [names[0], names.at(-1)]
  if (first === undefined) return []
  if (first === last) return [`What it left is saved too: ${first}`]
  return [`What each left is saved too: ${first} to ${last}`]
}

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
