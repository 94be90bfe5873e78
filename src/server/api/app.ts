/**
 * The server as one Hono app: takes each route of the contract, checks what came in by its schema, and gives it
 * to the answer of that name. The guard stands before everything that comes over the network; over the Unix
 * socket only its user can come. Knows nothing of loops.
 */
import { Hono } from 'hono'
import type * as z from 'zod'
import { exitCodeOf, type Failure, type Result } from '../../model/failure.ts'
import { type Route, type RouteName, type RouteRequest, routes, runHeader } from './contract.ts'
import { type Guard, refusal, safeHeaders } from './guard.ts'

/** The answer to each route: JSON as a value, anything else as a response. */
export type Answers = {
  [N in RouteName]: (
    asked: RouteRequest<N>,
    call: Call,
  ) => Promise<Result<unknown> | Response> | Result<unknown> | Response
}

/** `run`: the loop in whose run the client says that it is; null for everybody else. */
type Call = { lastEventId: string | null; run: string | null }

const mostBytes = 1_048_576

/** `guard` is null for the Unix socket. */
export function appOf(answers: Answers, guard: Guard | null, failed: (error: unknown) => void): Hono {
  const app = new Hono({ strict: true })
  app.use(async (c, next) => {
    const { req } = c
    const refused =
      guard && refusal({ header: name => req.header(name), path: req.path, method: req.method }, guard)
    if (refused) c.res = problem(refused.status, refused)
    else await next()
    for (const [name, value] of Object.entries(safeHeaders)) c.res.headers.set(name, value)
  })
  app.use(async (c, next) => {
    const refused = tooMuch(name => c.req.header(name))
    if (refused) c.res = refused
    else await next()
  })
  const byPath = Map.groupBy(Object.entries(routes) as [RouteName, Route][], ([, { path }]) => path)
  for (const [path, all] of byPath) {
    for (const [name, route] of all) {
      if (route.local && guard) continue
      app.on(route.method.toUpperCase(), pathOf(route), async c =>
        answerTo(c.req, route, answers[name] as Answer),
      )
    }
    const allow = all.map(([, { method }]) => method.toUpperCase()).join(', ')
    const isLocal = (method: string) => all.some(([, route]) => route.local && isMethod(route, method))
    app.all(pathOf({ path }), c => {
      if (guard && isLocal(c.req.method)) return problem(403, overSocket)
      const refused = problem(405, { reason: 'invalid-arguments', message: `This can only be: ${allow}.` })
      refused.headers.set('allow', allow)
      return refused
    })
  }
  app.notFound(() => problem(404, { reason: 'invalid-arguments', message: 'There is nothing here.' }))
  app.onError(error => {
    failed(error)
    return problem(500, { reason: 'internal', message: 'loopd could not do it; its log says why.' })
  })
  return app
}

const overSocket = {
  reason: 'not-allowed',
  message: 'This is answered over the Unix socket of loopd only. Where that is: loopd status',
}

function isMethod({ method }: Route, asked: string): boolean {
  return method.toUpperCase() === asked
}

/** What says how long it is can be refused before it is read; what does not say so is. */
function tooMuch(header: (name: string) => string | undefined): Response | null {
  if (header('transfer-encoding') !== undefined) {
    return problem(411, { reason: 'invalid-arguments', message: 'Say how long it is: Content-Length.' })
  }
  if (Number(header('content-length') ?? 0) <= mostBytes) return null
  return problem(413, { reason: 'invalid-arguments', message: 'That is more than 1 MB.' })
}

type Answer = (
  asked: { params: unknown; query: unknown; body: unknown },
  call: Call,
) => ReturnType<Answers[RouteName]>

type Incoming = {
  param(): Record<string, string>
  query(): Record<string, string>
  header(name: string): string | undefined
  json(): Promise<unknown>
}

async function answerTo(incoming: Incoming, route: Route, answer: Answer): Promise<Response> {
  const params = route.params?.safeParse(incoming.param())
  const query = route.query?.safeParse(incoming.query())
  if (params?.success === false) return unfit(params.error)
  if (query?.success === false) return unfit(query.error)
  const body = route.body ? await readBody(incoming, route.body) : undefined
  if (body instanceof Response) return body
  const lastEventId = incoming.header('last-event-id') ?? null
  const run = incoming.header(runHeader) ?? null
  if (run !== null && route.forPeople?.(body)) {
    const message = 'This is for the user, not for an agent in its run.'
    return problem(403, { reason: 'not-allowed', message })
  }
  const asked = { params: params?.data, query: query?.data, body }
  const answered = await answer(asked, { lastEventId, run })
  if (answered instanceof Response) return answered
  return answered.ok ? Response.json(answered.value) : problem(statusFor(answered.failure), answered.failure)
}

async function readBody(incoming: Incoming, schema: z.ZodType): Promise<unknown> {
  // A form of another page cannot say so without being asked about first.
  if (!/^application\/json\b/.test(incoming.header('content-type') ?? '')) {
    return problem(415, { reason: 'invalid-arguments', message: 'Send JSON, and say so in Content-Type.' })
  }
  let value: unknown
  try {
    value = await incoming.json()
  } catch {
    return problem(400, { reason: 'invalid-arguments', message: 'The body is not JSON.' })
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : unfit(parsed.error)
}

function unfit(error: z.ZodError): Response {
  // A key that nobody knows explains what seems to be missing.
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0]
  const where = issue?.path.join('.') || 'the request'
  return problem(400, { reason: 'invalid-arguments', message: `${where}: ${issue?.message}` })
}

export function problem(status: number, { reason, message }: { reason: string; message: string }): Response {
  return Response.json({ error: { reason, message } }, { status })
}

function statusFor({ reason }: Failure): number {
  if (reason === 'unknown-loop') return 404
  if (reason === 'not-allowed' || reason === 'already-driven' || reason === 'tree-busy') return 409
  if (reason === 'checkpoint-gone') return 410
  if (reason === 'host-silent') return 504
  return exitCodeOf(reason) === 4 ? 400 : 500
}

function pathOf({ path }: { path: string }): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
