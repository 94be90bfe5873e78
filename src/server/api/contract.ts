/**
 * What loopd can be asked, as values: method, path, and a schema for everything that goes in or comes out. The
 * server answers them (api), the client calls them, the OpenAPI document describes them. Says nothing about how.
 */
import * as z from 'zod'
import { pick } from '../../model/group/command.ts'
import { type Command, otherCommands } from '../../model/loop/command.ts'
import { requestSchema, resumeRequest } from '../../options/request.ts'

export type Route = {
  method: 'get' | 'post'
  /** With `{name}` for a parameter. */
  path: string
  summary: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** A schema for JSON; a media type for anything else. */
  answer: z.ZodType | 'text/plain' | 'text/html' | 'text/event-stream'
  /** Only over the Unix socket. */
  local?: true
  /** Refused to a program that says that it stands in the run of an agent (`runHeader`). */
  forPeople?(body: unknown): boolean
}

/** Holds the id of the loop in whose run a client was started; our own client sends it. */
export const runHeader = 'x-loop-run'

const always = () => true

/** Of a loop that exists. What is not among these is recorded as the agent's. */
const commandsOfPeople: string[] = ['resume', 'answer', 'rollback', 'cancel', 'pick'] satisfies (
  | Command['kind']
  | 'pick'
)[]

const id = z.string().regex(/^[a-z0-9]{6}$/)
const ofLoop = z.strictObject({ id })
const ofRun = z.strictObject({ id, run: z.string().regex(/^[1-9]\d{0,5}$/) })
const whole = z.string().regex(/^\d{1,15}$/)
const checkpoint = z.string().regex(/^[\w][\w.-]{0,80}$/)
const files = ['prompt', 'out', 'err'] as const

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

const loopDetail = loopRow.extend({
  exitCode: z.int().nullable(),
  cwd: z.string(),
  question: z.string().nullable(),
  prompt: z.string(),
  hosted: z.boolean(),
  next: z.array(z.string()).describe('what a person can do about it'),
  nodes: z
    .array(z.looseObject({ id: z.string() }))
    .optional()
    .describe('of a group: what it does, and how far it is'),
  winner: z.string().nullable().optional().describe('of a group: the node that was chosen'),
  inTree: z.string().nullable().optional().describe('of a group: the node whose result is in the work tree'),
  choices: z.array(z.string()).optional().describe('of a group: the answers to its question'),
})

const recorded = z.looseObject({
  seq: z.int(),
  at: z.number(),
  kind: z.string(),
  data: z.looseObject({}),
})

export const daemonStatus = z.strictObject({
  version: z.string(),
  pid: z.int(),
  startedAt: z.number(),
  socket: z.string(),
  web: z.strictObject({ url: z.string().nullable(), problem: z.string().nullable() }),
  running: z.array(id).describe('the loops it drives'),
  groups: z.array(id).describe('the groups it drives, which take no place among the loops'),
  queued: z.int(),
  limit: z.int(),
  stopping: z.boolean(),
  freeBytes: z.number().nullable(),
  problems: z.array(z.string()).describe('what keeps it from doing all of its work, in words'),
})

export const failure = z.strictObject({ error: z.strictObject({ reason: z.string(), message: z.string() }) })

export const routes = {
  daemon: { method: 'get', path: '/v1/daemon', summary: 'how loopd is', answer: daemonStatus },
  stop: {
    method: 'post',
    path: '/v1/daemon/stop',
    summary: 'end loopd: after the iterations, or now; agents go on either way',
    body: z.strictObject({ now: z.boolean() }),
    answer: z.strictObject({ stopping: z.boolean() }),
    local: true,
    forPeople: always,
  },
  invite: {
    method: 'post',
    path: '/v1/invitations',
    summary: 'an address that opens the page once',
    body: z.strictObject({}),
    answer: z.strictObject({ url: z.string() }),
    local: true,
    forPeople: always,
  },
  loops: {
    method: 'get',
    path: '/v1/loops',
    summary: 'the loops and groups, newest first; the members of a group stand in its row',
    query: z.strictObject({ status: z.string().optional(), limit: whole.optional() }),
    answer: z.array(loopRow.extend({ cwd: z.string(), prompt: z.string(), createdAt: z.number() })),
  },
  start: {
    method: 'post',
    path: '/v1/loops',
    summary:
      'queue a loop, or with best_of or isolated a group, resolved as loop start -b in that work tree would; it has the environment of loopd',
    body: requestSchema({
      cwd: z.string().startsWith('/').describe('the work tree, an absolute path'),
      injected: z
        .array(z.string().min(1).max(100_000))
        .max(20)
        .optional()
        .describe('what the agent is told besides, in its first iteration'),
    }),
    answer: z.strictObject({ id, notices: z.array(z.string()).describe('what was left out, in words') }),
    forPeople: always,
  },
  loop: {
    method: 'get',
    path: '/v1/loops/{id}',
    summary: 'one loop or group in detail',
    params: ofLoop,
    answer: loopDetail,
  },
  command: {
    method: 'post',
    path: '/v1/loops/{id}/commands',
    summary: 'pause, resume, answer, rollback, cancel; of a loop inject and checkpoint; of a group pick',
    params: ofLoop,
    body: z.discriminatedUnion('kind', [resumeRequest, ...otherCommands, pick]),
    answer: loopDetail,
    forPeople: asked => commandsOfPeople.includes((asked as { kind: string }).kind),
  },
  events: {
    method: 'get',
    path: '/v1/loops/{id}/events',
    summary: 'what happened, in order, at most 1000 after the one given',
    params: ofLoop,
    query: z.strictObject({ after: whole.optional() }),
    answer: z.strictObject({ events: z.array(recorded), last: z.int() }),
  },
  eventStream: {
    method: 'get',
    path: '/v1/loops/{id}/events/stream',
    summary: 'the same as it happens; goes on after Last-Event-ID, the number of an event',
    params: ofLoop,
    answer: 'text/event-stream',
  },
  history: {
    method: 'get',
    path: '/v1/loops/{id}/history',
    summary: 'the iterations',
    params: ofLoop,
    answer: z.strictObject({
      id,
      iterations: z.array(z.looseObject({ n: z.int() })),
      discarded: z
        .array(z.strictObject({ name: z.string(), at: z.number().nullable() }))
        .describe('checkpoints that were thrown away, and when; null where that is not known'),
    }),
  },
  diff: {
    method: 'get',
    path: '/v1/loops/{id}/diff',
    summary: 'what changed between two checkpoints',
    params: ofLoop,
    query: z.strictObject({ from: checkpoint, to: checkpoint }),
    answer: z.strictObject({
      patch: z.string().describe('exact, so that git apply takes it, unless patchBase64 is there'),
      patchBase64: z.string().optional().describe('the exact bytes of a patch that is not UTF-8'),
    }),
  },
  file: {
    method: 'get',
    path: '/v1/loops/{id}/runs/{run}/{file}',
    summary: 'the prompt of a run or what it printed: at most 1 MB from the byte given, else the end',
    params: ofRun.extend({ file: z.enum(files) }),
    query: z.strictObject({ from: whole.optional() }),
    answer: 'text/plain',
  },
  promiseOutput: {
    method: 'get',
    path: '/v1/loops/{id}/verify/{verification}/out',
    summary:
      'what a criterion printed when the promise was run: at most 1 MB from the byte given, else the end; the path is `evidence.output` of a criterion',
    params: ofLoop.extend({
      verification: z
        .string()
        .regex(/^\d{1,9}-\d{1,4}$/)
        .describe('the iteration (0: the baseline) and the number of the criterion, from 0: 2-0'),
    }),
    query: z.strictObject({ from: whole.optional() }),
    answer: 'text/plain',
  },
  outputStream: {
    method: 'get',
    path: '/v1/loops/{id}/runs/{run}/{file}/stream',
    summary: 'what a run prints, as it comes, until it ends; goes on after Last-Event-ID, a number of bytes',
    params: ofRun.extend({ file: z.enum(files) }),
    query: z.strictObject({ from: whole.optional() }),
    answer: 'text/event-stream',
  },
  loopStream: {
    method: 'get',
    path: '/v1/stream',
    summary:
      'every loop and group that has not ended, then each one as it changes, a group with its members too',
    answer: 'text/event-stream',
  },
  metrics: { method: 'get', path: '/metrics', summary: 'figures for Prometheus', answer: 'text/plain' },
  openapi: {
    method: 'get',
    path: '/openapi.json',
    summary: 'this list for programs',
    answer: z.looseObject({}),
  },
  enter: {
    method: 'get',
    path: '/enter',
    summary: 'where an invitation leads',
    query: z.strictObject({ code: z.string().max(100) }),
    answer: 'text/html',
  },
  page: { method: 'get', path: '/', summary: 'the page', answer: 'text/html' },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
type Part<N extends RouteName, K extends 'params' | 'query' | 'body'> = (typeof routes)[N] extends {
  [key in K]: infer S extends z.ZodType
}
  ? z.output<S>
  : undefined

/** What a call of the route brings along. */
export type RouteRequest<N extends RouteName> = {
  params: Part<N, 'params'>
  query: Part<N, 'query'>
  body: Part<N, 'body'>
}

/** What it answers, where that is JSON. */
export type RouteAnswer<N extends RouteName> = (typeof routes)[N]['answer'] extends z.ZodType
  ? z.output<(typeof routes)[N]['answer']>
  : never
