/** A loop or group as a row of the list that people watch: what any list says of it, and what needs a person. */
import * as z from 'zod'
import { attentionOf, attentions, sectionOf, sections } from '../core/attention.ts'
import { restartOf } from '../core/queue.ts'
import type { AnySummary } from '../core/summary.ts'
import { priorities } from '../model/loop/spec.ts'
import type { Shown } from '../views/text/status.ts'
import { type DocumentOf, int, someFields } from './fields.ts'
import { lineJson, lineSchema, rowSchemaOf } from './loop.ts'

function watchedLineSchema() {
  const failing = 'failing tests after each of the last 40 verifications, oldest first; null: not known'
  return lineSchema().extend({
    section: z.enum(sections),
    attention: z.enum(attentions).nullable().describe('why it needs a person'),
    budgetUsd: z.number().nullable(),
    endedAt: z.number().nullable(),
    question: z.string().nullable(),
    pending: z.enum(['pause', 'cancel']).nullable().describe('what was asked for and takes effect later'),
    background: z.enum(priorities).nullable(),
    waitUntil: z.number().nullable(),
    failing: z.array(z.int().nullable()).describe(failing),
    seq: int('the number of its newest event'),
  })
}

export function watchedSchema() {
  return rowSchemaOf(watchedLineSchema())
}

export type WatchedRow = DocumentOf<typeof watchedSchema>

/** `failing`: of a loop, up to the number of an event. */
export type RowNow = { now: number; failing(id: string, seq: number): (number | null)[] }

/** The row without its members. */
function watchedLine(shown: Shown, { now, failing }: RowNow): DocumentOf<typeof watchedLineSchema> {
  const { summary, orphaned } = shown
  const { criteria }: AnySummary = summary
  const attention = attentionOf(summary, orphaned, now)
  return {
    ...lineJson(shown, now),
    section: sectionOf(summary.status, attention, restartOf(summary) !== null),
    attention,
    ...someFields(summary, 'budgetUsd', 'endedAt', 'question', 'pending', 'background', 'waitUntil'),
    failing: criteria ? failing(summary.id, summary.seq) : [],
    seq: summary.seq,
  }
}

export function watchedRow(shown: Shown, at: RowNow): WatchedRow {
  const members = shown.members?.map(one => ({ ...watchedLine(one, at), node: one.node }))
  return { ...watchedLine(shown, at), ...(members && { members }) }
}
