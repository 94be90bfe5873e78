/** The head rows of the watch screen, of a loop and of a group: its status and reason, its progress, its cost. */
import type { Head } from '../../core/head.ts'
import type { AnySummary } from '../../core/summary.ts'
import { oneLine } from '../../core/text/plain-text.ts'
import { formatCost, formatDuration, formatMoney } from '../../model/units.ts'
import { folded } from '../layout/columns.ts'
import { bothEnds, cutTo } from '../layout/width.ts'
import { type Shown, timesOf, whyWords } from '../text/status.ts'
import { doubtWords } from '../words/doubt.ts'
import { statusWords } from '../words/message.ts'
import { nextRow } from './frame.ts'
import { chart, gauge, type Ink, ink, type Look, sign } from './look.ts'

/** The usage that the agents reported; null if they report none. */
export type Usage = { tokens: string | null; context: string }

type HeadFacts = {
  shown: Shown
  now: number
  usage: Usage
  /** The number of failing tests after each iteration, oldest first. */
  failing: readonly number[]
  /** Why the screen may be out of date; null if it is not. */
  stale: string | null
}

const inks: Record<Head['status'], Ink> = {
  queued: 'dim',
  running: 'cyan',
  waiting: 'yellow',
  paused: 'yellow',
  completed: 'green',
  failed: 'red',
  cancelled: 'dim',
  crashed: 'red',
}

export function statusInk(status: Head['status']): Ink {
  return inks[status]
}

/** The four rows of the head; then the reason for the status, and the parts of the result to look at. */
export function headRows(facts: HeadFacts, look: Look, width: number): string[] {
  const { shown, now } = facts
  const { summary } = shown
  const { doubts = [] }: AnySummary = summary
  const inner = width - 2
  const status = statusWords(shown)
  const dot = ` ${sign(look, 'dot')} `
  const iteration = `iteration ${summary.iteration}/${summary.maxIterations ?? '∞'}`
  const title = `${ink(look, 'title', `loop ${summary.id}`)}  ${ink(look, inks[summary.status], status)}${dot}${iteration}`
  const elapsed = formatDuration(timesOf(shown, now).elapsedMs)
  const why = facts.stale ?? whyWords(shown, now)
  return [
    bothEnds(title, ink(look, 'dim', elapsed), inner),
    cutTo(oneLine(summary.prompt), inner),
    ink(look, 'dim', cutTo(`${summary.agent}${dot}${oneLine(summary.promise)}`, inner)),
    bothEnds(money(facts, look), progress(facts, look), inner),
    ...fewRows(why, summary.question === null ? mostOfReason : mostOfQuestion, inner).map(row =>
      ink(look, facts.stale ? 'red' : inks[summary.status], row),
    ),
    ...nextRow(shown, look, inner),
    ...(doubts.length > 0
      ? fewRows(`look at: ${doubtWords(doubts)}`, 2, inner).map(row => ink(look, 'yellow', row))
      : []),
  ].map(row => ` ${row}`)
}

/** A question is shown with as much as a person needs to know what it is about; the rest is in its own window. */
const mostOfQuestion = 3
const mostOfReason = 2

/** In at most so many rows, the last one cut. */
function fewRows(text: string, most: number, width: number): string[] {
  const rows = text === '' ? [] : folded(oneLine(text), width)
  if (rows.length <= most) return rows
  return [...rows.slice(0, most - 1), cutTo(rows.slice(most - 1).join(' '), width)]
}

function money({ shown: { summary }, usage }: HeadFacts, look: Look): string {
  const { costUsd, budgetUsd } = summary
  const dot = ` ${sign(look, 'dot')} `
  const spent = costUsd === null ? '–' : formatCost(costUsd, summary)
  const budget = budgetUsd === null ? '' : ` of ${formatMoney(budgetUsd)}`
  const bar = budgetUsd === null || !costUsd ? '' : ` ${gauge(look, costUsd / budgetUsd, 8)}`
  const tokens = `tokens ${usage.tokens ?? '–'}`
  return `cost ${spent}${budget}${bar}${dot}${tokens}${dot}context ${usage.context}`
}

/** The failing tests as a chart. */
function progress({ failing }: HeadFacts, look: Look): string {
  const last = failing.at(-1)
  if (last === undefined) return ''
  return `${chart(look, failing, 12)} ${ink(look, last === 0 ? 'green' : 'red', `${last} failing`)}`
}

type GroupFacts = { shown: Shown; now: number; program: string; stale: string | null }

export function groupHead({ shown, now, program, stale }: GroupFacts, look: Look, width: number): string[] {
  const { summary } = shown
  const inner = width - 2
  const dot = ` ${sign(look, 'dot')} `
  const status = statusWords(shown)
  const over = `${summary.iteration} of ${summary.maxIterations} nodes are over`
  const title = `${ink(look, 'title', `group ${summary.id}`)}  ${ink(look, statusInk(summary.status), status)}${dot}${over}`
  const spent = summary.costUsd === null ? '–' : formatCost(summary.costUsd, summary)
  const budget = summary.budgetUsd === null ? '' : ` of ${formatMoney(summary.budgetUsd)}`
  const bar =
    summary.budgetUsd && summary.costUsd ? ` ${gauge(look, summary.costUsd / summary.budgetUsd, 8)}` : ''
  const why = stale ?? whyWords(shown, now)
  return [
    bothEnds(title, ink(look, 'dim', formatDuration(timesOf(shown, now).elapsedMs)), inner),
    cutTo(oneLine(summary.prompt), inner),
    ink(
      look,
      'dim',
      cutTo(
        [...new Set([program, summary.agent, oneLine(summary.promise)])].filter(Boolean).join(dot),
        inner,
      ),
    ),
    `cost ${spent}${budget}${bar}`,
    ...(why === '' ? [] : [ink(look, stale ? 'red' : statusInk(summary.status), cutTo(oneLine(why), inner))]),
    ...nextRow(shown, look, inner),
  ].map(row => ` ${row}`)
}
