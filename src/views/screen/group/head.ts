/** The head rows of the screen of a group. */

import { oneLine } from '../../../core/text/plain-text.ts'
import { formatCost, formatDuration, formatMoney } from '../../../model/units.ts'
import { bothEnds, cutTo } from '../../layout/width.ts'
import { type Shown, timesOf, whyWords } from '../../text/status.ts'
import { statusWords } from '../../words/message.ts'
import { nextRow } from '../frame.ts'
import { gauge, ink, type Look, sign } from '../look.ts'
import { statusInk } from '../watch/head.ts'

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
