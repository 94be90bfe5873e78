/**
 * The server as one Hono app: it takes each route of the contract, validates the request by its schema, and calls
 * the answer of that name. The guard checks every request over the network; the Unix socket is reachable only by its
 * user. It knows nothing about loops.
 */

import { Hono } from 'hono'
import type * as z from 'zod'
import { failureJson } from '../../failures/words.ts'
import { exitCodeOf, type Failure, type Result } from '../../model/failure.ts'
import { httpWords, otherMethod } from '../../views/words/http.ts'
import { type Route, runHeader } from './contract/route.ts'
import { type RouteAnswer, type RouteName, type RouteRequest, routes } from './contract.ts'
import type { Display } from './display.ts'
import { bearerIn, type Guard, movedTo, refusal, safeHeaders } from './guard.ts'

/** A value of the route's schema for JSON; a response for anything else. */
type Answered<N extends RouteName> = [RouteAnswer<N>] extends [never]
  ? Response | Failed
  : Result<RouteAnswer<N>> | Response

export type Failed = { ok: false; failure: Failure }

/** The answer to each route. */
export type Answers = {
  [N in RouteName]: (asked: RouteRequest<N>, call: Call) => Promise<Answered<N>> | Answered<N>
}

export type Service = { answers: Answers; display: Display; failed(error: unknown): void }

/** `run`: the loop in whose run the client says it is; null for everybody else. */
type Call = {
  lastEventId: string | null
  run: string | null
  /** What the client sent as its right to ask. */
  bearer: string | null
  acceptEncoding: string
  host: string
}

const mostBytes = 1_048_576

/** `guard` is null for the Unix socket. */
export function appOf(service: Service, guard: Guard | null): Hono {
  const app = new Hono({ strict: true })
  app.use(async (c, next) => {
    const { req } = c
    const asking = { header: (name: string) => req.header(name), path: req.path, method: req.method }
    const moved = guard && movedTo({ ...asking, url: req.url }, guard)
    const refused = guard && refusal(asking, guard)
    if (moved) c.res = c.redirect(moved)
    else if (refused) c.res = problem(refused.status, refused)
    else await next()
    const { headers } = c.res
    // The page has a policy of its own.
    for (const [name, value] of Object.entries(safeHeaders)) if (!headers.has(name)) headers.set(name, value)
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
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
        answerTo(c.req, route, { display: service.display, answer: service.answers[name] as Answer }),
      )
    }
    const allow = all.map(([, { method }]) => method.toUpperCase()).join(', ')
    const isLocal = (method: string) => all.some(([, route]) => route.local && isMethod(route, method))
    app.all(pathOf({ path }), c => {
      if (guard && isLocal(c.req.method)) return problem(403, overSocket)
      const refused = problem(405, { reason: 'invalid-arguments', message: otherMethod(allow) })
      refused.headers.set('allow', allow)
      return refused
    })
  }
  app.notFound(() => problem(404, { reason: 'invalid-arguments', message: httpWords.noRoute }))
  app.onError(error => {
    service.failed(error)
    return problem(500, { reason: 'internal', message: httpWords.broken })
  })
  return app
}

const overSocket = {
  reason: 'not-allowed',
  message: httpWords.onlySocket,
}

function isMethod({ method }: Route, asked: string): boolean {
  return method.toUpperCase() === asked
}

/** A body with a declared length is refused before it is read; one without is refused too. */
function tooMuch(header: (name: string) => string | undefined): Response | null {
  if (header('transfer-encoding') !== undefined) {
    return problem(411, { reason: 'invalid-arguments', message: httpWords.noLength })
  }
  if (Number(header('content-length') ?? 0) <= mostBytes) return null
  return problem(413, { reason: 'invalid-arguments', message: httpWords.tooLarge })
}

type Answer = (
  asked: { params: unknown; query: unknown; body: unknown },
  call: Call,
) => Promise<Result<unknown> | Response> | Result<unknown> | Response

type Answering = { answer: Answer; display: Display }

type Incoming = {
  param(): Record<string, string>
  query(): Record<string, string>
  header(name: string): string | undefined
  json(): Promise<unknown>
}

async function answerTo(incoming: Incoming, route: Route, { answer, display }: Answering): Promise<Response> {
  const params = route.params?.safeParse(incoming.param())
  const query = route.query?.safeParse(incoming.query())
  if (params?.success === false) return unfit(params.error)
  if (query?.success === false) return unfit(query.error)
  const body = route.body ? await readBody(incoming, route.body) : undefined
  if (body instanceof Response) return body
  const run = incoming.header(runHeader) ?? null
  if (run !== null && route.forPeople?.(body)) {
    return problem(403, { reason: 'not-allowed', message: httpWords.forPeople })
  }
  const asked = { params: params?.data, query: query?.data, body }
  const answered = await answer(asked, {
    run,
    lastEventId: incoming.header('last-event-id') ?? null,
    bearer: bearerIn(incoming.header('authorization')),
    acceptEncoding: incoming.header('accept-encoding') ?? '',
    host: incoming.header('host') ?? '',
  })
  if (answered instanceof Response) return answered
  const { id: loop = null } = (params?.data ?? {}) as { id?: string }
  const { exact } = route
  if (answered.ok) return jsonResponse(display.json(answered.value, { loop, exact }))
  const status = statusFor(answered.failure)
  return jsonResponse(display.json({ error: failureJson(answered.failure) }, { loop }), status)
}

function jsonResponse(text: string, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } })
}

async function readBody(incoming: Incoming, schema: z.ZodType): Promise<unknown> {
  // A form of another web page cannot set this type without a preflight request.
  if (!/^application\/json\b/.test(incoming.header('content-type') ?? '')) {
    return problem(415, { reason: 'invalid-arguments', message: httpWords.notJsonType })
  }
  let value: unknown
  try {
    value = await incoming.json()
  } catch {
    return problem(400, { reason: 'invalid-arguments', message: httpWords.notJson })
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : unfit(parsed.error)
}

function unfit(error: z.ZodError): Response {
  // An unknown key explains best why another one seems to be missing.
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
  return path.replaceAll('{rest}', ':rest{.+}').replaceAll(/\{(\w+)\}/g, ':$1')
}
