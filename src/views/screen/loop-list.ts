/**
 * The list of a loop's iterations: the baseline, each iteration with its verdict and its changes, the checkpoints that
 * people requested, and the iteration that is under way.
 */
import type { Iteration } from '../../core/loop/history.ts'
import type { State } from '../../core/loop/state.ts'
import type { Recorded, Verdict } from '../../model/loop/event.ts'
import { formatDuration, formatMoney } from '../../model/units.ts'
import { cutTo, fitRight, fitTo, textWidth } from '../layout/width.ts'
import { type Ink, ink, type Look, sign } from './look.ts'

/** `n`: the iteration, 0 for the baseline; null for a checkpoint between two iterations. */
export type IterationRow = {
  n: number | null
  verdict: Verdict | null
  /** The promise passed by what judges the work, and nobody has accepted that. */
  isSuspect: boolean
  failing: number | null
  /** The step that is under way; null if none is. */
  doing: string | null
  durationMs: number | null
  changes: Iteration['changes']
  costUsd: number | null
  /** The name of a checkpoint; null for an iteration. */
  mark: string | null
}

const noRow: IterationRow = {
  n: null,
  verdict: null,
  isSuspect: false,
  failing: null,
  doing: null,
  durationMs: null,
  changes: null,
  costUsd: null,
  mark: null,
}

/** `doing`: the step that is under way in the newest iteration, and for how long. */
export function listRows(
  events: readonly Recorded[],
  iterations: readonly Iteration[],
  doing: { what: string; sinceMs: number } | null,
): IterationRow[] {
  const failing = failingOf(events)
  const marks = marksOf(events)
  const rows = [0, ...iterations.map(({ n }) => n)].flatMap((n): IterationRow[] => {
    const one = iterations[n - 1]
    const isNow = n === iterations.length && doing !== null
    const verdict = one ? one.verdict : verdictOf(events)
    const own = (marks.get(n) ?? []).map(mark => ({ ...noRow, mark }))
    if (!one && verdict === null && !isNow) return own
    const row: IterationRow = {
      ...noRow,
      n,
      verdict: isNow ? null : verdict,
      isSuspect: verdict === 'PASS' && one?.isSuspect === true,
      failing: failing.get(n) ?? null,
      doing: isNow ? doing.what : null,
      durationMs: isNow ? (one?.durationMs ?? 0) + doing.sinceMs : (one?.durationMs ?? null),
      changes: one?.changes ?? null,
      costUsd: one?.spent.costUsd ?? null,
    }
    return [row, ...own]
  })
  return rows
}

/** The verdict of the baseline. */
function verdictOf(events: readonly Recorded[]): Verdict | null {
  const first = events.find(event => event.kind === 'promise.verified')
  if (first?.kind !== 'promise.verified' || first.data.iteration !== 0) return null
  return first.data.results.find(({ verdict }) => verdict !== 'PASS')?.verdict ?? 'PASS'
}

/** The number of failing tests after each iteration whose promise printed one. */
export function failingOf(events: readonly Recorded[]): Map<number, number> {
  const all = new Map<number, number>()
  for (const event of events) {
    if (event.kind !== 'promise.verified') continue
    const counts = event.data.results.flatMap(({ failing }) => failing ?? [])
    if (counts.length > 0)
      all.set(
        event.data.iteration,
        counts.reduce((sum, one) => sum + one, 0),
      )
  }
  return all
}

/** The checkpoints that people requested, by iteration. */
function marksOf(events: readonly Recorded[]): Map<number, string[]> {
  const asked = new Set(
    events.flatMap(event => (event.kind === 'checkpoint.requested' ? event.data.name : [])),
  )
  const marks = new Map<number, string[]>()
  let n = 0
  for (const event of events) {
    if (event.kind === 'run.started') n = event.data.iteration
    if (event.kind !== 'checkpoint.taken' || !asked.has(event.data.name)) continue
    marks.set(n, [...(marks.get(n) ?? []), event.data.name])
  }
  return marks
}

/** The step that is under way, in one word; empty if none is. */
export function stepWord({ work: { stage, run }, turn, human, hook }: State): string {
  if (turn.outcome && !hook.open) return ''
  if (hook.open) return 'hook'
  if (turn.cancelRequested) return 'stopping'
  if (human.question) return 'asks'
  if (stage === 'running') return run?.end ? 'agent' : 'agent'
  if (stage === 'settled' || stage === 'baseline') return 'verify'
  return stage === 'saved' || stage === 'ended' || stage === 'cleared' ? 'checkpoint' : ''
}

const inks: Record<Verdict, Ink> = { PASS: 'green', FAIL: 'red', ERROR: 'yellow' }
const marks = { PASS: 'pass', FAIL: 'fail', ERROR: 'error' } as const

/** A row of the list, `width` columns wide: cells that do not fit are dropped, the last ones first. */
export function listLine(row: IterationRow, look: Look, width: number): string {
  if (row.mark !== null) return fitTo(`    ${sign(look, 'flag')} ${row.mark}`, width)
  const cells = [` ${fitRight(String(row.n), 3)} ${signOf(row, look)} ${fitTo(wordsOf(row, look), 8)}`]
  const add = (text: string, columns: number) => {
    const used = cells.reduce((sum, cell) => sum + textWidth(cell), 0)
    if (used + columns + 1 <= width) cells.push(` ${fitRight(text, columns)}`)
  }
  add(row.durationMs === null ? '' : formatDuration(row.durationMs), 7)
  const { changes } = row
  add(changes ? `+${short(changes.added)} -${short(changes.removed)}` : '', 10)
  add(row.costUsd === null ? '' : formatMoney(row.costUsd), 7)
  return fitTo(cells.join(''), width)
}

function signOf({ verdict, doing, isSuspect }: IterationRow, look: Look): string {
  if (doing !== null) return ink(look, 'cyan', sign(look, 'busy').slice(0, 1))
  if (isSuspect) return ink(look, 'yellow', sign(look, 'error'))
  if (verdict === null) return sign(look, 'none')
  return ink(look, inks[verdict], sign(look, marks[verdict]).slice(0, 1))
}

function wordsOf({ verdict, doing, failing, n, isSuspect }: IterationRow, look: Look): string {
  if (doing !== null) return ink(look, 'cyan', doing)
  if (isSuspect) return ink(look, 'yellow', 'suspect')
  if (verdict === null) return ''
  const count = failing && verdict !== 'PASS' ? ` ${short(failing)}` : n === 0 ? ' base' : ''
  return ink(look, inks[verdict], cutTo(`${verdict}${count}`, 9))
}

/** `1234`, `12k` */
function short(count: number): string {
  return count < 10_000 ? String(count) : `${Math.round(count / 1_000)}k`
}
