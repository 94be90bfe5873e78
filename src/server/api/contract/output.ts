/** The routes for prompts and outputs: those of a loop's runs, and those of its promise. */
import * as z from 'zod'
import { runSchema } from '../../../documents/log.ts'
import { getRoute, wholeNumber } from './route.ts'

const shownLine = z.strictObject({
  n: z.int().describe('counts from 0'),
  text: z.string(),
  colour: z.string().describe('an escape that brings back the colour it begins with'),
  cut: z.int().describe('so many bytes of it are not shown: it has more than 8 kB'),
})

const someLines = z.strictObject({
  from: z.int(),
  lines: z.array(shownLine),
  total: z.int().describe('of the output so far; the last may not have ended'),
  hasEnded: z.boolean().describe('there will be no more'),
})

const linesQuery = z.strictObject({
  from: wholeNumber.optional().describe('the number of the first line'),
  tail: wholeNumber.optional().describe('in place of from: so many lines at the end'),
  count: wholeNumber.optional().describe('at most 2000'),
})

const someMatches = z.strictObject({
  matches: z.array(shownLine),
  next: z.int().nullable().describe('the line to go on from; null: all of it was searched'),
})

const searchQuery = z.strictObject({
  q: z.string().min(1).max(200).describe('a text as it is shown; capital or small letters are the same'),
  from: wholeNumber.optional(),
  back: z.literal('1').optional().describe('towards the beginning'),
  limit: wholeNumber.optional().describe('at most 500'),
})

export const outputRoutes = {
  lines: getRoute('/v1/loops/{id}/runs/{run}/{output}/lines', {
    summary: 'lines of what a run printed, by number, or its end',
    query: linesQuery,
    answer: someLines,
  }),
  search: getRoute('/v1/loops/{id}/runs/{run}/{output}/search', {
    summary: 'the lines of what a run printed that hold a text',
    query: searchQuery,
    answer: someMatches,
  }),
  promiseLines: getRoute('/v1/loops/{id}/verify/{verification}/lines', {
    summary: 'lines of what a criterion printed when the promise was run',
    query: linesQuery,
    answer: someLines,
  }),
  promiseSearch: getRoute('/v1/loops/{id}/verify/{verification}/search', {
    summary: 'the lines of what a criterion printed that hold a text',
    query: searchQuery,
    answer: someMatches,
  }),
  runs: getRoute('/v1/loops/{id}/runs', {
    summary: 'the runs of its agents, oldest first: who ran, how it ended, what it cost',
    answer: z.array(runSchema()),
  }),
  items: getRoute('/v1/loops/{id}/runs/{run}/items', {
    summary: 'what the agent of a run said and did, as items: text, tool, tool-failed, edit, usage, …',
    query: z.strictObject({
      from: wholeNumber.optional(),
      limit: wholeNumber.optional().describe('at most 1000'),
    }),
    answer: z.strictObject({
      from: z.int(),
      items: z.array(z.looseObject({ kind: z.string() })),
      next: z.int().nullable().describe('where to go on; null at the end of what there is'),
      hasEnded: z.boolean().describe('the run is over: there will be no more'),
    }),
  }),
  file: getRoute('/v1/loops/{id}/runs/{run}/{file}', {
    summary: 'the prompt of a run or what it printed: at most 1 MB from the byte given, else the end',
    query: z.strictObject({ from: wholeNumber.optional() }),
    answer: 'text/plain',
  }),
  promiseOutput: getRoute('/v1/loops/{id}/verify/{verification}/out', {
    summary:
      'what a criterion printed when the promise was run: at most 1 MB from the byte given, else the end; the path is `evidence.output` of a criterion',
    query: z.strictObject({ from: wholeNumber.optional() }),
    answer: 'text/plain',
  }),
  outputStream: getRoute('/v1/loops/{id}/runs/{run}/{file}/stream', {
    summary: 'what a run prints, as it comes, until it ends; goes on after Last-Event-ID, a number of bytes',
    query: z.strictObject({ from: wholeNumber.optional() }),
    answer: 'text/event-stream',
  }),
}
