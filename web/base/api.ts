/**
 * Sends requests to loopd: one function, typed by the contract of the server. The build inserts the table of methods
 * and paths from the same contract (scripts/build-web.ts), so there is no second list of routes.
 */
import type { RouteAnswer, RouteName, RouteRequest } from '../../src/server/api/contract.ts'
import { bearer, doubtLoopd, forgetKey, isLoopd, ownKey } from './key.ts'

declare const ROUTES: Record<RouteName, readonly [method: string, path: string]>

export type Refused = { ok: false; reason: string; message: string }
export type Answered<T> = { ok: true; value: T } | Refused

/** The parts of a request that the route takes: params, query and body. */
type Asked<N extends RouteName> = {
  [K in keyof RouteRequest<N> as undefined extends RouteRequest<N>[K] ? never : K]: RouteRequest<N>[K]
}

type Loose = {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
}

export async function askLoopd<N extends RouteName>(
  name: N,
  asked: Asked<N>,
  signal?: AbortSignal,
): Promise<Answered<RouteAnswer<N>>> {
  const got = await fetched(name, asked as Loose, signal)
  if (!got.ok) return got
  const value: unknown = await got.value.json().catch(() => null)
  return value === null
    ? { ok: false, reason: 'no-daemon', message: 'loopd did not answer in full.' }
    : { ok: true, value: value as RouteAnswer<N> }
}

/** The same for a route whose answer is text. */
export async function askText(
  name: RouteName,
  asked: Loose,
  signal?: AbortSignal,
): Promise<Answered<string>> {
  const got = await fetched(name, asked, signal)
  return got.ok ? { ok: true, value: await got.value.text() } : got
}

async function fetched(name: RouteName, asked: Loose, signal?: AbortSignal): Promise<Answered<Response>> {
  const [method] = ROUTES[name]
  const hasBody = asked.body !== undefined
  const sent = ownKey.get()
  if (sent === null && name !== 'signIn') return signedOut
  if (sent !== null && !(await isLoopd(sent))) return ownKey.get() === null ? signedOut : noDaemon
  try {
    const response = await fetch(pathOf(name, asked), {
      method: method.toUpperCase(),
      credentials: 'omit',
      headers: { ...bearer(), ...(hasBody && { 'content-type': 'application/json' }) },
      ...(signal && { signal }),
      ...(hasBody && { body: JSON.stringify(asked.body) }),
    })
    if (response.status === 401) forgetKey(sent)
    return response.ok ? { ok: true, value: response } : await refusal(response)
  } catch {
    if (signal?.aborted) return { ok: false, reason: 'aborted', message: 'The request was cancelled.' }
    doubtLoopd()
    return noDaemon
  }
}

const noDaemon: Refused = {
  ok: false,
  reason: 'no-daemon',
  message: 'loopd does not answer. Start it with: loopd start',
}

const signedOut: Refused = {
  ok: false,
  reason: 'signed-out',
  message: 'This browser is no longer signed in. Open the page with: loop ui',
}

async function refusal(response: Response): Promise<Refused> {
  if (response.status === 401) return signedOut
  const said = (await response.json().catch(() => null)) as {
    error?: { reason?: string; message?: string }
  } | null
  const { reason = 'internal', message = `loopd answered with ${response.status}.` } = said?.error ?? {}
  return { ok: false, reason, message }
}

function pathOf(name: RouteName, { params = {}, query = {} }: Loose): string {
  const path = ROUTES[name][1].replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ''),
  )
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))
  const text = new URLSearchParams(given).toString()
  return text === '' ? path : `${path}?${text}`
}
