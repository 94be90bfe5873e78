/**
 * Access control for the network port: its own page, or a program with the token, on this machine. It checks every
 * request, also to routes that do not exist. Other web pages in the same browser can send requests to this port, and
 * a name server can be made to point to it: Host, Origin and Sec-Fetch-Site reveal both. Nothing that a browser adds
 * by itself gives access: token and key are sent by the code of a client.
 */
import { httpWords } from '../../views/words/http.ts'
import type { Route } from './contract/route.ts'
import { routes } from './contract.ts'
import type { Credentials } from './credentials.ts'
import { plainStyleHash } from './page.ts'

type DoorRefusal = { status: 400 | 401 | 403 | 421; reason: string; message: string }

type GuardedRequest = { header(name: string): string | undefined; path: string; method: string }

/** `hosts`: names under which the user's tunnel or reverse proxy reaches this port; usually none. */
export type Guard = { port: number; entry: Credentials; hosts(): readonly string[]; now(): number }

/** Null if the request is allowed. */
export function refusal(asking: GuardedRequest, guard: Guard): DoorRefusal | null {
  const { port } = guard
  const host = asking.header('host') ?? ''
  const isNamed = guard.hosts().includes(host)
  if (host !== `127.0.0.1:${port}` && !isNamed) return no(421, httpWords.otherAddress)
  const origin = asking.header('origin')
  // A proxy that uses TLS to the browser uses plain HTTP to loopd.
  const origins = [`http://${host}`, ...(isNamed ? [`https://${host}`] : [])]
  if (origin !== undefined && !origins.includes(origin)) return no(403, httpWords.otherPage)
  const site = asking.header('sec-fetch-site')
  const isTyped = site === 'none' && asking.method === 'GET'
  if (site !== undefined && site !== 'same-origin' && !isTyped && !isVisit(asking)) {
    return no(403, httpWords.otherPage)
  }
  if (asking.header('upgrade') !== undefined) return no(400, httpWords.plainHttp)
  const isKnown = isOpen(asking) || hasAccess(asking.header('authorization'), guard)
  return isKnown ? null : no(401, httpWords.noAccess)
}

/**
 * The page that was asked for by the name localhost, at the address where nobody but loopd can be: browsers look for the
 * name at ::1 first, and a program that listens there would be taken for loopd, since it can hand on what it is asked.
 */
export function movedTo(asking: GuardedRequest & { url: string }, { port, hosts }: Guard): string | null {
  const isOther = asking.header('host') === `localhost:${port}` && !hosts().includes(`localhost:${port}`)
  const isPage = asking.path === '/' || asking.path.startsWith('/app/')
  const { pathname, search } = new URL(asking.url)
  return isOther && isPage ? `http://127.0.0.1:${port}${pathname}${search}` : null
}

/** Whether the header has the token of loopd, or the key of a page. */
export function hasAccess(authorization: string | undefined, { entry, now }: Guard): boolean {
  const sent = bearerIn(authorization)
  return sent !== null && (entry.isToken(sent) || entry.isKey(sent, now()))
}

export function bearerIn(authorization: string | undefined): string | null {
  return /^Bearer ([\w.-]{1,100})$/.exec(authorization ?? '')?.[1] ?? null
}

const openRoutes = (Object.values(routes) as Route[]).filter(({ open }) => open)

/** The files of the page, which hold no secret, and the exchange of an invitation, which checks it. */
function isOpen({ path, method }: GuardedRequest): boolean {
  return openRoutes.some(route => {
    const [fixed = '', ...more] = route.path.split('{')
    return (
      route.method.toUpperCase() === method && (more.length > 0 ? path.startsWith(fixed) : path === fixed)
    )
  })
}

/** A link of another site that a person follows, to the page itself: a whole tab, neither a frame nor a script. */
function isVisit(asking: GuardedRequest): boolean {
  const { header, method, path } = asking
  const isDocument = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document'
  return isDocument && method === 'GET' && !path.startsWith('/assets/') && isOpen(asking)
}

function no(status: DoorRefusal['status'], message: string): DoorRefusal {
  return { status, reason: 'not-allowed', message }
}

/** `inline`: the hash of a script in the page itself. */
export function contentPolicy(inline: string | null): string {
  const scripts = ["'self'", ...(inline === null ? [] : [`'${inline}'`])].join(' ')
  return `default-src 'none'; script-src ${scripts}; style-src 'self' '${plainStyleHash}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`
}

/** On every answer: nothing is loaded from outside, and no other page may embed this one. */
export const safeHeaders: Record<string, string> = {
  'content-security-policy': contentPolicy(null),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
