/** The list of loops and groups, and the one feed of a tab. */
import * as z from 'zod'
import { listSorts, sections } from '../../../core/attention.ts'
import { statuses } from '../../../core/loop/summary.ts'
import { watchedSchema } from '../../../documents/loop.ts'
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

const followed = z.string().max(1_000).optional()

export const feedRoutes = {
  feed: getRoute('/v1/feed', {
    summary:
      'everything that a page follows in one stream: frames hello, row, event, lines, partial, items, gap, ended, failure; goes on exactly after Last-Event-ID, the id of a frame, which begins with the revision',
    query: z.strictObject({
      list: wholeNumber.optional().describe('rows that change after this revision; 0: after now'),
      journals: followed.describe('the events of these journals after a number: a1b2c3:40,d4e5f6:0'),
      outputs: followed.describe('the lines of these outputs from a number on: a1b2c3/2/out:1200'),
      words: followed.describe('what these agents say and do, from an item on: a1b2c3/2:0'),
    }),
    answer: 'text/event-stream',
  }),
}
