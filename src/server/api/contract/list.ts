/** The list of loops and groups. */
import * as z from 'zod'
import { attentions, listSorts, sections } from '../../../core/attention.ts'
import { statuses } from '../../../core/loop/summary.ts'
import { lineSchema, rowSchemaOf } from '../../../documents/loop.ts'
import { priorities } from '../../../model/loop/spec.ts'
import { byName, directory, getRoute, wholeNumber } from './route.ts'

const failing = 'failing tests after each of the last 40 verifications, oldest first; null: not known'

const watchedRow = rowSchemaOf(
  lineSchema().extend({
    endedAt: z.number().nullable(),
    section: z.enum(sections),
    attention: z.enum(attentions).nullable().describe('why it needs a person'),
    budgetUsd: z.number().nullable(),
    question: z.string().nullable(),
    pending: z.enum(['pause', 'cancel']).nullable().describe('what was asked for and takes effect later'),
    background: z.enum(priorities).nullable(),
    waitUntil: z.number().nullable(),
    failing: z.array(z.int().nullable()).describe(failing),
    seq: z.int().describe('the number of its newest event'),
  }),
)

export const listRoutes = {
  loops: getRoute('/v1/loops', {
    summary:
      'the loops and groups, a page of them, those that need a person first; the members of a group stand in its row',
    query: z.strictObject({
      status: z.string().max(100).optional().describe('one or several, with commas between them'),
      section: z.enum(sections).optional(),
      agent: z.string().max(100).optional(),
      cwd: directory.optional().describe('of this directory and those below it'),
      search: z
        .string()
        .max(200)
        .optional()
        .describe('words, each somewhere in the id, prompt, promise, directory or agent'),
      sort: z.enum(listSorts).optional(),
      order: z.enum(['asc', 'desc']).optional(),
      limit: wholeNumber.optional().describe('at most 500'),
      cursor: z.string().max(300).optional().describe('next of the page before'),
    }),
    answer: z.strictObject({
      revision: z.int().describe('of the store: the feed goes on after it'),
      rows: z.array(watchedRow),
      next: z.string().nullable().describe('the cursor of the next page'),
      total: z.int().describe('of all pages'),
      counts: z
        .strictObject({
          sections: byName(sections, z.int()),
          statuses: z.partialRecord(z.enum(statuses), z.int()),
        })
        .describe('of all that there are, whatever was asked for'),
      damaged: z.array(z.string()).describe('ids whose rows cannot be read'),
    }),
  }),
}
