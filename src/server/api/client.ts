/** A client of loopd over its socket, with the types of the contract. */

import { request } from 'node:http'
import type * as z from 'zod'
import { loopAround } from '../../adapters/process/around.ts'
import { type Failure, fail, ok, type Reason, type Result } from '../../model/failure.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { failure, type Route, runHeader } from './contract/route.ts'
import { type RouteAnswer, type RouteName, type RouteRequest, routes } from './contract.ts'

const answerMs = 40_000

type Given<N extends RouteName> = Partial<RouteRequest<N>>

/** Calls a route that answers with JSON. */
export async function call<N extends RouteName>(
  socket: string,
  name: N,
  given: Given<N> = {},
): Promise<Result<RouteAnswer<N>>> {
  const route: Route = routes[name]
  const { params = {}, query = {}, body } = given as { params?: object; query?: object; body?: unknown }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[key])),
  )
  const search = new URLSearchParams(query as Record<string, string>).toString()
  const answered = await send(socket, {
    method: route.method.toUpperCase(),
    path: search ? `${path}?${search}` : path,
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!answered.ok) return answered
  const { status, value } = answered.value
  if (status >= 200 && status < 300) return ok(value as RouteAnswer<N>)
  const refused = failure.safeParse(value)
  return refused.success ? said(refused.data.error) : silent(socket, `it answered ${status}`)
}

/** The sentence comes from loopd, which can have another version: its facts are passed on unchanged. */
function said({ reason, message, facts }: z.infer<typeof failure>['error']): Result<never> {
  return fail(reason as Reason, { kind: 'said', message, ...(facts !== undefined && { facts }) })
}

type SocketRequest = { method: string; path: string; body: string | null }

function send(socketPath: string, wish: SocketRequest): Promise<Result<{ status: number; value: unknown }>> {
  return new Promise(resolve => {
    const length = { 'content-length': Buffer.byteLength(wish.body ?? '') }
    const run = loopAround(process.env, pathsFrom(process.env).loops)
    const headers = {
      ...(wish.body !== null && { 'content-type': 'application/json', ...length }),
      ...(run !== null && { [runHeader]: run }),
    }
    const options = { socketPath, method: wish.method, path: wish.path, headers, timeout: answerMs }
    const asking = request(options, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', error => resolve(silent(socketPath, error.message)))
      response.on('end', () => {
        const value = parsed(Buffer.concat(chunks).toString('utf8'))
        resolve(ok({ status: response.statusCode ?? 0, value }))
      })
    })
    asking.on('timeout', () => asking.destroy(new Error('it does not answer')))
    asking.on('error', error => resolve(silent(socketPath, error.message)))
    asking.end(wish.body ?? undefined)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // not an answer of loopd: its status says what it is
  }
}

function silent(socket: string, why: string): { ok: false; failure: Failure } {
  return fail('no-daemon', { kind: 'daemon-unreachable', socket, why })
}
