/** A loop or group as a line of a list, and in detail. */
import * as z from 'zod'
import { attentions, sections } from '../../../core/attention.ts'
import { statuses } from '../../../core/loop/summary.ts'
import { priorities } from '../../../model/loop/spec.ts'
import { doubtList } from '../../../views/json/loop-documents.ts'
import { id } from './route.ts'

const oneRow = z.looseObject({
  id,
  kind: z.string().describe('loop, or group: loops that are run together'),
  group: z.string().optional().describe('the group it is a member of'),
  status: z.string(),
  reason: z.string(),
  iteration: z.int(),
  maxIterations: z.int().nullable(),
  promise: z.string(),
  agent: z.string(),
  elapsedMs: z.int().describe('at work: without the time it waited, was paused or queued'),
  totalMs: z.int().describe('from its beginning to its end, or to now'),
  costUsd: z.number().nullable(),
  costEstimated: z.boolean().describe('worked out from tokens and a price list, or not all of it is known'),
  costIncomplete: z.boolean().optional().describe('costUsd is a lower bound: some of it was never reported'),
})

export const loopRow = oneRow.extend({
  program: z.string().optional().describe('of a group: best-of, …'),
  members: z
    .array(oneRow.extend({ node: z.string().nullable().describe('what it is called in its group') }))
    .optional()
    .describe('of a group: its loops, in the order of its plan; they are no rows of their own'),
})

const watchedLine = z.strictObject({
  ...oneRow.shape,
  status: z.enum(statuses),
  cwd: z.string(),
  prompt: z.string(),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  section: z.enum(sections),
  attention: z.enum(attentions).nullable().describe('why it needs a person'),
  budgetUsd: z.number().nullable(),
  question: z.string().nullable(),
  pending: z.enum(['pause', 'cancel']).nullable().describe('what was asked for and takes effect later'),
  background: z.enum(priorities).nullable(),
  waitUntil: z.number().nullable(),
  failing: z
    .array(z.int().nullable())
    .describe('failing tests after each of the last 40 verifications, oldest first; null: not known'),
  seq: z.int().describe('the number of its newest event'),
  program: z.string().optional().describe('of a group: best-of, …'),
})

/** A row of the list that people watch. */
export const watchedRowSchema = watchedLine.extend({
  members: z
    .array(watchedLine.extend({ node: z.string().nullable().describe('what it is called in its group') }))
    .optional()
    .describe('of a group: its loops, in the order of its plan'),
})

const evidence = z.strictObject({
  command: z.string(),
  exitCode: z.int().nullable(),
  durationMs: z.number(),
  failing: z.int().nullable(),
  checkpoint: z.string().nullable().describe('the name of the tree it was run in'),
  output: z.string().describe('verify/<iteration>-<criterion>/out: the end of the path to it'),
})

const criterion = z.looseObject({
  met: z.boolean(),
  verification: z.string(),
  verdict: z.enum(['PASS', 'FAIL', 'ERROR']).nullable(),
  why: z.string(),
  evidence: evidence.nullable(),
})

export const loopDetail = loopRow.extend({
  exitCode: z.int().nullable(),
  cwd: z.string(),
  question: z.string().nullable(),
  prompt: z.string(),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  seq: z.int().describe('the number of its newest event'),
  budgetUsd: z.number().nullable(),
  hosted: z.boolean(),
  next: z.array(z.string()).describe('what a person can do about it'),
  retry: z
    .strictObject({ n: z.int(), of: z.int(), at: z.number() })
    .optional()
    .describe('of a crashed loop: its next start by loopd'),
  doubts: doubtList,
  criteria: z.record(z.string(), criterion),
  breakers: z.record(
    z.string(),
    z.strictObject({ count: z.int().nullable(), limit: z.int().nullable().describe('null: off') }),
  ),
  nodes: z
    .array(z.looseObject({ id: z.string() }))
    .optional()
    .describe('of a group: what it does, and how far it is'),
  winner: z.string().nullable().optional().describe('of a group: the node that was chosen'),
  inTree: z.string().nullable().optional().describe('of a group: the node whose result is in the work tree'),
  choices: z.array(z.string()).optional().describe('of a group: the answers to its question'),
})
