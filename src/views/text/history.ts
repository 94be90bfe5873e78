/** The history of a loop as a table. */
import type { Iteration } from '../../core/loop/history.ts'
import { knownOf, type Spent } from '../../core/loop/spent.ts'
import { formatCost, formatDuration, formatTokens } from '../../model/units.ts'
import { formatChanges } from '../words/message.ts'
import { align } from './status.ts'

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
