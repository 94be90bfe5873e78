/** The list of loops and groups. */
import * as z from 'zod'
import { listSorts, sections } from '../../../core/attention.ts'
import { statuses } from '../../../core/loop/summary.ts'
import { watchedSchema } from '../../../documents/watched.ts'
import { byName, directory, getRoute, wholeNumber } from './route.ts'

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
      rows: z.array(watchedSchema()),
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
