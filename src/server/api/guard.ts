/**
 * Who may ask loopd anything over the network: a page of its own or a program with the token, on this machine.
 * Stands before every route, those that do not exist too. Another web page in the same browser can send
 * requests to this port, a name server can be made to point at it: Host, Origin and Sec-Fetch-Site tell.
 */
import { type Credentials, cookieName } from './credentials.ts'

type Refusal = { status: 400 | 401 | 403 | 421; reason: string; message: string }

type Asking = { header(name: string): string | undefined; path: string; method: string }

export type Guard = { port: number; entry: Credentials; now(): number }

/** Null when it is let in. */
export function refusal(asking: Asking, guard: Guard): Refusal | null {
  const { port } = guard
  const own = [`127.0.0.1:${port}`, `localhost:${port}`]
  const host = asking.header('host') ?? ''
  if (!own.includes(host)) {
    return no(421, 'This is loopd, and it answers only to its own address: see loop ui')
  }
  const origin = asking.header('origin')
  if (origin !== undefined && origin !== `http://${host}`) return no(403, 'Other pages may not ask loopd.')
  const site = asking.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && asking.method === 'GET')) {
    return no(403, 'Other pages may not ask loopd.')
  }
  if (asking.header('upgrade') !== undefined) return no(400, 'loopd speaks plain HTTP only.')
  // An invitation is what a browser has in place of the token, once; it is looked at by its route.
  if (asking.path === '/enter' && asking.method === 'GET') return null
  return isKnown(asking, guard) ? null : no(401, 'Show the token, or open the page with: loop ui')
}

function isKnown({ header }: Asking, { entry, now }: Guard): boolean {
  const [, token] = /^Bearer ([\w-]{1,100})$/.exec(header('authorization') ?? '') ?? []
  if (token !== undefined) return entry.isToken(token)
  const cookie = (header('cookie') ?? '')
    .split(/; */)
    .find(part => part.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)
  return cookie !== undefined && cookie.length < 200 && entry.isCookie(cookie, now())
}

function no(status: Refusal['status'], message: string): Refusal {
  return { status, reason: 'not-allowed', message }
}

/** On every answer. Nothing from outside is ever loaded, and nothing may show the page inside another. */
export const safeHeaders: Record<string, string> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}
