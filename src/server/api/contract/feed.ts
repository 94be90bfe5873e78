/** The route of the page's single feed per tab. */
import * as z from 'zod'
import { getRoute, wholeNumber } from './route.ts'

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
