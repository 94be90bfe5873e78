/** The table of loops, the detail of one, and the JSON forms that scripts rely on. */
import type { Summary } from '../core/summary.ts'
import { formatDuration, formatMoney } from '../model/units.ts'
import { exitCodeFor, nextSteps, reasonWords } from './message.ts'
import { safeText } from './plain-text.ts'

const columns = ['LOOP-ID', 'STATUS', 'ITER', 'PROMISE', 'AGENT', 'ELAPSED', 'COST'] as const

/** A loop as it is shown: its summary, and whether a living process hosts it. */
export type Shown = { summary: Summary; orphaned: boolean }

export function table(shown: Shown[], now: number): string[] {
  const rows = shown.map(({ summary, orphaned }) => [
    summary.id,
    orphaned ? `${summary.status}, no host` : summary.status,
    `${summary.iteration}/${summary.maxIterations ?? '∞'}`,
    clip(safeText(summary.promise).replaceAll('\n', ' '), 30),
    summary.agent,
    formatDuration(elapsedMs(summary, now)),
    summary.costUsd === null ? '–' : formatMoney(summary.costUsd),
  ])
  return align([columns, ...rows])
}

/** Cells in columns as wide as their widest, three spaces between. */
export function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0)))
  return rows.map(cells =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('   ')
      .trimEnd(),
  )
}

export function detail({ summary, orphaned }: Shown, now: number): string[] {
  const reason = orphanWords(summary, orphaned) || reasonWords(summary, now)
  return [
    `loop ${summary.id}: ${summary.status}${reason ? ` (${reason})` : ''}`,
    `  directory   ${summary.cwd}`,
    `  prompt      ${clip(summary.prompt.replaceAll('\n', ' '), 100)}`,
    `  agent       ${summary.agent}`,
    ...Object.entries(summary.criteria).map(
      ([name, { verdict, why }]) => `  promise     ${name}: ${verdict ?? '–'} (${why})`,
    ),
    `  iterations  ${summary.iteration}${summary.maxIterations === null ? '' : ` of ${summary.maxIterations}`}`,
    `  elapsed     ${formatDuration(elapsedMs(summary, now))}`,
    `  cost        ${summary.costUsd === null ? 'unknown' : formatMoney(summary.costUsd)}${summary.budgetUsd === null ? '' : ` of ${formatMoney(summary.budgetUsd)}`}`,
    ...nextSteps(summary).map(step => `  next        ${step}`),
  ].map(safeText)
}

export function listJson({ summary, orphaned }: Shown, now: number) {
  return {
    id: summary.id,
    status: summary.status,
    reason: orphanWords(summary, orphaned) || reasonWords(summary, now),
    iteration: summary.iteration,
    maxIterations: summary.maxIterations,
    promise: summary.promise,
    agent: summary.agent,
    elapsedMs: Math.round(elapsedMs(summary, now)),
    costUsd: summary.costUsd,
  }
}

export function detailJson({ summary, orphaned }: Shown, now: number) {
  return {
    ...listJson({ summary, orphaned }, now),
    exitCode: summary.reason === null ? null : exitCodeFor(summary),
    cwd: summary.cwd,
    criteria: Object.fromEntries(
      Object.entries(summary.criteria).map(([name, { verdict, why }]) => [
        name,
        { met: verdict === 'PASS', verification: 'execution output', verdict, why },
      ]),
    ),
  }
}

function orphanWords(summary: Summary, orphaned: boolean): string {
  return orphaned ? `no process hosts it any more; take it up with: loop resume ${summary.id}` : ''
}

function elapsedMs(summary: Summary, now: number): number {
  return Math.max(0, (summary.endedAt ?? now) - summary.createdAt)
}

function clip(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text
}
