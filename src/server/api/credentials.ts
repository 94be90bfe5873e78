/**
 * Access over the network. A program sends the token, which is in a file that only its user can read. The page sends
 * a key, which it got for an invitation that works once and for a minute. It is no cookie: a browser sends a cookie
 * to every port of a host. Keys are signed with the token, so they survive a restart of loopd and become invalid
 * with the token. A page sends its key only to a server that has proved to know it: while loopd is away, any program of
 * this machine can take its port.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'

const keyMs = 30 * 24 * 3_600_000
const invitationMs = 60_000
const mostInvitations = 100

export type Credentials = {
  isToken(text: string): boolean
  isKey(text: string, now: number): boolean
  invite(now: number): string
  /** The key for an invitation; null if it is unknown, used or too old. */
  redeem(code: string, now: number): string | null
  /** What only who knows the key that ends at this time can say about this text. */
  prove(until: string, text: string): string
  /** Makes the key invalid for good. */
  revoke(key: string, now: number): void
}

/** `signedOut`: the file in which the times of revoked keys outlive loopd. */
export function entryFor(token: string, signedOut: string | null = null): Credentials {
  const invitations = new Map<string, number>()
  const revoked = revokedIn(signedOut)
  let issued = 0
  const sign = (text: string) => createHmac('sha256', token).update(text).digest('base64url')
  return {
    isToken: text => same(text, token),
    isKey(text, now) {
      // The whole form: a key with something added must not get past the list of revoked ones.
      const [, until = '', sum = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(text) ?? []
      return Number(until) > now && same(sum, sign(until)) && !revoked.has(until)
    },
    invite(now) {
      for (const [code, until] of invitations) if (until < now) invitations.delete(code)
      if (invitations.size >= mostInvitations) invitations.clear()
      const code = randomBytes(24).toString('base64url')
      invitations.set(code, now + invitationMs)
      return code
    },
    redeem(code, now) {
      const until = invitations.get(code)
      invitations.delete(code)
      if (until === undefined || until < now) return null
      // A unique time for each key, so that revoking one affects one browser.
      issued = Math.max(issued + 1, now + keyMs)
      const end = String(issued)
      return `${end}.${sign(end)}`
    },
    prove: (until, text) => createHmac('sha256', sign(until)).update(text).digest('base64url'),
    revoke(key, now) {
      revoked.add(key.split('.')[0] ?? '')
      for (const until of revoked) if (!(Number(until) > now)) revoked.delete(until)
      if (signedOut !== null) keepRevoked(signedOut, revoked)
    },
  }
}

/** Each key ends at a time of its own, which names it and is no secret. */
function revokedIn(file: string | null): Set<string> {
  if (file === null || !existsSync(file)) return new Set()
  return new Set(readFileSync(file, 'utf8').match(/^\d{1,15}$/gm) ?? [])
}

function keepRevoked(file: string, revoked: ReadonlySet<string>): void {
  writeFileSync(`${file}.new`, [...revoked, ''].join('\n'), { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}

/** Compares in constant time. */
function same(one: string, other: string): boolean {
  const [a, b] = [one, other].map(text => createHmac('sha256', 'compare').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** The user's token; a new one if there is none, if it is invalid, or if others could read it. */
export function tokenIn(file: string): string {
  const known = readToken(file)
  if (known !== null) return known
  const token = randomBytes(32).toString('base64url')
  rmSync(file, { force: true, recursive: true })
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return token
}

/** Null if the file does not hold a usable token. */
export function readToken(file: string): string | null {
  let fd: number
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null // not there, or not a file: a new one takes its place
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile() || stat.size > 200 || (stat.mode & 0o077) !== 0) return null
    fchmodSync(fd, 0o600)
    const text = readFileSync(fd, 'utf8').trim()
    return /^[\w-]{43}$/.test(text) ? text : null
  } finally {
    closeSync(fd)
  }
}
