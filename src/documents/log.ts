/** What is said to a loop and by it, for programs: questions, answers, and its log line by line. */
import * as z from 'zod'
import { agentNames, limitKinds } from '../model/agent.ts'
import { verdict } from '../model/loop/trust.ts'
import { hookKinds } from '../model/loop/words.ts'
import { int, moment, string, stringOrNull, strings, tokensSchema } from './fields.ts'

const shownText = () => string('without secrets, and safe to show')
const outputFields = () => ({ kind: z.literal('output'), text: string('a line with its end') })

export function eventSchema() {
  return z.strictObject({
    v: int('version of the form'),
    seq: int('counts from 1 in each journal'),
    at: moment(),
    loop: string('the id of the loop or group'),
    epoch: int('grows with each process that takes the loop up'),
    cause: stringOrNull('the id of the command that caused it'),
    kind: string('what happened: loop.created, run.started, promise.verified, …'),
    data: z.looseObject({}).describe('by kind; loopd serves the same at /v1/loops/{id}/events'),
  })
}

/** An item of a log: a kind has only the fields that it needs. */
function logItemSchema() {
  const kinds =
    'text, tool, tool-failed, edit, session, usage, context, limit, auth, question, answer, warning or end'
  const asOutput = 'a line of an agent whose output is plain text, and with --raw'
  const span = 'one step to be added, the run so far, or the session; a part is in a later total'
  return z.strictObject({
    run: int('of the loop, from 1'),
    iteration: z.int(),
    agent: z.enum(agentNames),
    kind: string(`${kinds}; output: ${asOutput}`),
    stream: z.enum(['out', 'err']).optional().describe('of output'),
    text: string('of text, output, question and warning').optional(),
    name: string('of tool: its name').optional(),
    detail: string('of tool: what it is called with').optional(),
    why: string('of tool-failed, limit, auth, and of an end by an error').optional(),
    denied: z.literal(true).optional().describe('of tool-failed: by the rules of the agent itself'),
    path: string('of edit').optional(),
    id: stringOrNull('of session').optional(),
    model: stringOrNull('of session and usage, where the agent says it').optional(),
    span: z.enum(['part', 'step', 'run', 'session']).optional().describe(`of usage: ${span}`),
    tokens: tokensSchema().optional().describe('of usage'),
    costUsd: z.number().nullable().optional().describe('of usage'),
    used: z.number().nullable().optional().describe('of context: tokens'),
    window: z.number().nullable().optional().describe('of context: tokens'),
    limitKind: z.enum(limitKinds).optional().describe('of limit and warning'),
    until: moment('of limit: milliseconds since 1970').optional(),
    afterMs: z.number().optional().describe('of limit'),
    json: string('of answer: its text').optional(),
    ok: z.boolean().optional().describe('of end'),
  })
}

/** A run of an agent; of loopd alone. */
export function runSchema() {
  return z.strictObject({
    run: z.int(),
    iteration: z.int(),
    agent: z.enum(agentNames),
    startedAt: z.number(),
    endedAt: z.number().nullable(),
    how: stringOrNull('null while it runs; lost: it left no trace of its end'),
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
  })
}

function outputDocuments() {
  return {
    logPromise: z.strictObject({
      iteration: int('0: the baseline'),
      criterion: z.string(),
      mustNot: z.literal(true).optional().describe('it is a thing that must not happen'),
      verdict,
      ...outputFields(),
    }),
    logHook: z.strictObject({
      hook: int('counted over all ends of the loop'),
      on: z.enum(hookKinds),
      exitCode: z.int().nullable().describe('null while it runs, and where it has none'),
      ...outputFields(),
    }),
    logLine: z.strictObject({
      line: int('from 1'),
      text: shownText(),
      cut: int('so many bytes of it are not shown').optional(),
    }),
    announcements: z.strictObject({
      id: z.string(),
      lines: strings('what loop itself said, in the order of time'),
    }),
  }
}

export function logDocuments() {
  const goesOn = 'the loop goes on by itself; false: it needs an answer, a `loop resume` or a loopd'
  return {
    event: eventSchema(),
    logItem: logItemSchema(),
    ...outputDocuments(),
    question: z.strictObject({
      id: z.string(),
      question: stringOrNull('null: nothing is asked'),
      agentAsks: z.boolean().describe('it is a question of the agent, which takes any text'),
      choices: strings('the answers to choose from; empty: any text, or nothing is asked'),
    }),
    answered: z.strictObject({
      id: z.string(),
      question: string('what was asked'),
      answer: string('of a question of the agent: what it is told').optional(),
      met: z.boolean().optional().describe('of a criterion: a person has confirmed it'),
      asks: stringOrNull('the next question; null: there is none'),
      goesOn: z.boolean().describe(goesOn),
    }),
    injected: z.strictObject({ id: z.string(), iteration: int('in which the agent is told') }),
  }
}
