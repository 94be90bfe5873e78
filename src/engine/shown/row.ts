/** A loop or group as a row of the list that people watch: the columns of the table, and what needs a person. */
import { attentionOf, sectionOf } from '../../core/attention.ts'
import { restartOf } from '../../core/restarts.ts'
import { lineJson } from '../../documents/loop.ts'
import type { Shown } from '../../views/text/status.ts'
import type { FailingSeries } from './failing.ts'

export type RowNow = { now: number; failing: FailingSeries }

/** The row without its members. */
function lineOf(shown: Shown, { now, failing }: RowNow) {
  const { summary, orphaned } = shown
  const { status, budgetUsd, endedAt, question, pending, background, seq } = summary
  const attention = attentionOf(summary, orphaned, now)
  return {
    ...lineJson(shown, now),
    section: sectionOf(status, attention, restartOf(summary) !== null),
    attention,
    budgetUsd,
    endedAt,
    question,
    pending,
    background,
    waitUntil: summary.waitUntil,
    failing: summary.kind === 'group' ? [] : failing(summary.id, seq),
    seq,
  }
}

export function watchedRow(shown: Shown, at: RowNow) {
  const members = shown.members?.map(one => ({ ...lineOf(one, at), node: one.node }))
  return { ...lineOf(shown, at), ...(members && { members }) }
}

export type WatchedRow = ReturnType<typeof watchedRow>
