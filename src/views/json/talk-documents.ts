/** What `--json` prints of what is said to a loop and by it: questions, answers, and its log line by line. */
import * as z from 'zod'
import { agentNames, limitKinds } from '../../model/agent.ts'
import { verdict } from '../../model/loop/verdict.ts'
import { hookKinds } from '../../model/loop/words.ts'

export const askedQuestion = z.strictObject({
  id: z.string(),
  question: z.string().nullable().describe('null: nothing is asked'),
  agentAsks: z.boolean().describe('it is a question of the agent, which takes any text'),
  choices: z.array(z.string()).describe('the answers to choose from; empty: any text, or nothing is asked'),
})

export const answeredQuestion = z.strictObject({
  id: z.string(),
  question: z.string().describe('what was asked'),
  answer: z.string().optional().describe('of a question of the agent: what it is told'),
  met: z.boolean().optional().describe('of a criterion: a person has confirmed it'),
  asks: z.string().nullable().describe('the next question; null: there is none'),
  goesOn: z
    .boolean()
    .describe('the loop goes on by itself; false: it needs an answer, a `loop resume` or a loopd'),
})

export const injectedText = z.strictObject({
  id: z.string(),
  iteration: z.int().describe('in which the agent is told'),
})

export const journalEvent = z.strictObject({
  v: z.int().describe('version of the form'),
  seq: z.int().describe('counts from 1 in each journal'),
  at: z.number().describe('milliseconds since 1970'),
  loop: z.string().describe('the id of the loop or group'),
  epoch: z.int().describe('grows with each process that takes the loop up'),
  cause: z.string().nullable().describe('the id of the command that caused it'),
  kind: z.string().describe('what happened: loop.created, run.started, promise.verified, …'),
  data: z.looseObject({}).describe('by kind; loopd serves the same at /v1/loops/{id}/events'),
})

const text = z.string().describe('without secrets, and safe to show')
const output = { kind: z.literal('output'), text: text.describe('a line with its end') }

/** A kind has only the fields that it needs. */
export const logItem = z.strictObject({
  run: z.int().describe('of the loop, from 1'),
  iteration: z.int(),
  agent: z.enum(agentNames),
  kind: z
    .string()
    .describe(
      'text, tool, tool-failed, edit, session, usage, context, limit, auth, question, answer, warning or end; output: a line of an agent whose output is plain text, and with --raw',
    ),
  stream: z.enum(['out', 'err']).optional().describe('of output'),
  text: text.optional().describe('of text, output, question and warning'),
  name: z.string().optional().describe('of tool: its name'),
  detail: z.string().optional().describe('of tool: what it is called with'),
  why: z.string().optional().describe('of tool-failed, limit, auth, and of an end by an error'),
  denied: z.literal(true).optional().describe('of tool-failed: by the rules of the agent itself'),
  path: z.string().optional().describe('of edit'),
  id: z.string().nullable().optional().describe('of session'),
  model: z.string().nullable().optional().describe('of session and usage, where the agent says it'),
  span: z
    .enum(['part', 'step', 'run', 'session'])
    .optional()
    .describe('of usage: one step to be added, the run so far, or the session; a part is in a later total'),
  tokens: z
    .strictObject({ input: z.number(), cached: z.number(), output: z.number() })
    .nullable()
    .optional()
    .describe('of usage'),
  costUsd: z.number().nullable().optional().describe('of usage'),
  used: z.number().nullable().optional().describe('of context: tokens'),
  window: z.number().nullable().optional().describe('of context: tokens'),
  limitKind: z.enum(limitKinds).optional().describe('of limit and warning'),
  until: z.number().optional().describe('of limit: milliseconds since 1970'),
  afterMs: z.number().optional().describe('of limit'),
  json: z.string().optional().describe('of answer: its text'),
  ok: z.boolean().optional().describe('of end'),
})

export const promiseOutputLine = z.strictObject({
  iteration: z.int().describe('0: the baseline'),
  criterion: z.string(),
  mustNot: z.literal(true).optional().describe('it is a thing that must not happen'),
  verdict,
  ...output,
})

export const hookOutputLine = z.strictObject({
  hook: z.int().describe('counted over all ends of the loop'),
  on: z.enum(hookKinds),
  exitCode: z.int().nullable().describe('null while it runs, and where it has none'),
  ...output,
})

export const numberedLine = z.strictObject({
  line: z.int().describe('from 1'),
  text,
  cut: z.int().optional().describe('so many bytes of it are not shown'),
})

export const announcementLines = z.strictObject({
  id: z.string(),
  lines: z.array(z.string()).describe('what loop itself said, in the order of time'),
})
