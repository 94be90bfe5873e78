/** The routes for prompts and outputs: those of a loop's runs, and those of its promise. */
import * as z from 'zod'
import { tokensSchema } from '../../../documents/fields.ts'
import { ofLoop, ofRun, type Route, wholeNumber } from './route.ts'

const files = ['prompt', 'out', 'err'] as const

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

const ofOutput = ofRun.extend({ output: z.enum(['out', 'err']) })
const ofVerification = ofLoop.extend({
  verification: z
    .string()
    .regex(/^\d{1,9}-\d{1,4}$/)
    .describe('the iteration (0: the baseline) and the number of the criterion, from 0: 2-0'),
})

export const outputRoutes = {
  lines: {
    method: 'get',
    path: '/v1/loops/{id}/runs/{run}/{output}/lines',
    summary: 'lines of what a run printed, by number, or its end',
    params: ofOutput,
    query: linesQuery,
    answer: someLines,
  },
  search: {
    method: 'get',
    path: '/v1/loops/{id}/runs/{run}/{output}/search',
    summary: 'the lines of what a run printed that hold a text',
    params: ofOutput,
    query: searchQuery,
    answer: someMatches,
  },
  promiseLines: {
    method: 'get',
    path: '/v1/loops/{id}/verify/{verification}/lines',
    summary: 'lines of what a criterion printed when the promise was run',
    params: ofVerification,
    query: linesQuery,
    answer: someLines,
  },
  promiseSearch: {
    method: 'get',
    path: '/v1/loops/{id}/verify/{verification}/search',
    summary: 'the lines of what a criterion printed that hold a text',
    params: ofVerification,
    query: searchQuery,
    answer: someMatches,
  },
  runs: {
    method: 'get',
    path: '/v1/loops/{id}/runs',
    summary: 'the runs of its agents, oldest first: who ran, how it ended, what it cost',
    params: ofLoop,
    answer: z.array(
      z.strictObject({
        run: z.int(),
        iteration: z.int(),
        agent: z.string(),
        startedAt: z.number(),
        endedAt: z.number().nullable(),
        how: z.string().nullable().describe('null while it runs; lost: it left no trace of its end'),
        exitCode: z.int().nullable(),
        durationMs: z.number().nullable(),
        costUsd: z.number().nullable(),
        isEstimated: z.boolean(),
        tokens: tokensSchema(),
        session: z.string().nullable(),
        outBytes: z.int(),
        errBytes: z.int(),
        promptBytes: z.int(),
        hasItems: z.boolean().describe('loop can read what its agent prints: ask for items'),
      }),
    ),
  },
  items: {
    method: 'get',
    path: '/v1/loops/{id}/runs/{run}/items',
    summary: 'what the agent of a run said and did, as items: text, tool, tool-failed, edit, usage, …',
    params: ofRun,
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
  },
  file: {
    method: 'get',
    path: '/v1/loops/{id}/runs/{run}/{file}',
    summary: 'the prompt of a run or what it printed: at most 1 MB from the byte given, else the end',
    params: ofRun.extend({ file: z.enum(files) }),
    query: z.strictObject({ from: wholeNumber.optional() }),
    answer: 'text/plain',
  },
  promiseOutput: {
    method: 'get',
    path: '/v1/loops/{id}/verify/{verification}/out',
    summary:
      'what a criterion printed when the promise was run: at most 1 MB from the byte given, else the end; the path is `evidence.output` of a criterion',
    params: ofVerification,
    query: z.strictObject({ from: wholeNumber.optional() }),
    answer: 'text/plain',
  },
  outputStream: {
    method: 'get',
    path: '/v1/loops/{id}/runs/{run}/{file}/stream',
    summary: 'what a run prints, as it comes, until it ends; goes on after Last-Event-ID, a number of bytes',
    params: ofRun.extend({ file: z.enum(files) }),
    query: z.strictObject({ from: wholeNumber.optional() }),
    answer: 'text/event-stream',
  },
} as const satisfies Record<string, Route>
