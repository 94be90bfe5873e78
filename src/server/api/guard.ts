/**
 * Access control for the network port: its own page, or a program with the token, on this machine. It checks every
 * request, also to routes that do not exist. Other web pages in the same browser can send requests to this port, and
 * a name server can be made to point to it: Host, Origin and Sec-Fetch-Site reveal both.
 */
import { httpWords } from '../../views/words/http.ts'
import { type Credentials, cookieName } from './credentials.ts'
import { plainStyleHash } from './page.ts'

export type DoorRefusal = { status: 400 | 401 | 403 | 421; reason: string; message: string }

type Asking = { header(name: string): string | undefined; path: string; method: string }

/** `hosts`: names under which the user's tunnel or reverse proxy reaches this port; usually none. */
export type Guard = { port: number; entry: Credentials; hosts(): readonly string[]; now(): number }

/** Null if the request is allowed. */
export function refusal(asking: Asking, guard: Guard): DoorRefusal | null {
  const { port } = guard
  const own = [`127.0.0.1:${port}`, `localhost:${port}`]
  const host = asking.header('host') ?? ''
  const isNamed = guard.hosts().includes(host)
  if (!own.includes(host) && !isNamed) {
    return no(421, httpWords.otherAddress)
  }
  const origin = asking.header('origin')
  // A proxy that uses TLS to the browser uses plain HTTP to loopd.
  const origins = [`http://${host}`, ...(isNamed ? [`https://${host}`] : [])]
  if (origin !== undefined && !origins.includes(origin)) return no(403, httpWords.otherPage)
  const site = asking.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && asking.method === 'GET')) {
    return no(403, httpWords.otherPage)
  }
  if (asking.header('upgrade') !== undefined) return no(400, httpWords.plainHttp)
  // An invitation replaces the token once; its route checks it.
  if (asking.path === '/enter' && asking.method === 'GET') return null
  return isKnown(asking, guard) ? null : no(401, httpWords.noAccess)
}

export function cookieIn(header: string | undefined): string | null {
  const found = (header ?? '').split(/; */).find(part => part.startsWith(`${cookieName}=`))
  return found?.slice(cookieName.length + 1) ?? null
}

function isKnown({ header }: Asking, { entry, now }: Guard): boolean {
  const [, token] = /^Bearer ([\w-]{1,100})$/.exec(header('authorization') ?? '') ?? []
  if (token !== undefined) return entry.isToken(token)
  const cookie = cookieIn(header('cookie'))
  return cookie !== null && cookie.length < 200 && entry.isCookie(cookie, now())
}

function no(status: DoorRefusal['status'], message: string): DoorRefusal {
  return { status, reason: 'not-allowed', message }
}

/** On every answer: nothing is loaded from outside, and no other page may embed this one. */
export const safeHeaders: Record<string, string> = {
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' '${plainStyleHash}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
