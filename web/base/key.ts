/**
 * The key by which this browser may ask loopd. It is kept in localStorage, which belongs to this origin alone: a
 * cookie would be sent to every server on this machine. The code in an address of `loop ui` is exchanged for it, once.
 * All tabs share it, also when one of them signs in or out.
 */
import { cell } from './cell.ts'

const name = 'loop-key'

export const ownKey = cell(window.localStorage.getItem(name))

/** Why the address that was opened did not sign this browser in; null if it did, or had no code. */
export const linkFailure = cell<string | null>(null)

export function keepKey(fresh: string): void {
  window.localStorage.setItem(name, fresh)
  ownKey.set(fresh)
}

/** `dead`: the key that loopd has refused, or that was signed out. Another tab may have a newer one already. */
export function forgetKey(dead: string | null): void {
  if (dead !== null && window.localStorage.getItem(name) === dead) window.localStorage.removeItem(name)
  ownKey.set(window.localStorage.getItem(name))
}

export function bearer(): Record<string, string> {
  const now = ownKey.get()
  return now === null ? {} : { authorization: `Bearer ${now}` }
}

/** What this key was proved to; asked again after every break: another program may have taken the port. */
let shown: { key: string; isLoopd: Promise<boolean> } | null = null

export function doubtLoopd(): void {
  shown = null
}

/** Whether the server at this address knows this key itself, so that it may be sent. Never rejects. */
export function isLoopd(key: string): Promise<boolean> {
  if (shown?.key === key) return shown.isLoopd
  const asked = proved(key).catch(() => false)
  const answer = asked.then(yes => {
    if (!yes) doubtLoopd()
    return yes
  })
  shown = { key, isLoopd: answer }
  return answer
}

const proofMs = 10_000

async function proved(key: string): Promise<boolean> {
  // Missing over plain HTTP to another host, which has to be trusted on its way anyway.
  if (!window.crypto.subtle) return true
  const [until = '', secret = ''] = key.split('.')
  const nonce = window.crypto.randomUUID()
  const response = await fetch('/v1/proof', {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ until, nonce }),
    signal: AbortSignal.timeout(proofMs),
  })
  if (!response.ok) return false
  const { proof } = (await response.json()) as { proof?: unknown }
  const isRight = proof === (await signed(secret, `${window.location.host} ${nonce}`))
  // The key of an older loopd, or a program in its place, whose page could read the key after a reload.
  if (!isRight) forgetKey(key)
  return isRight
}

/** HMAC-SHA256 in the form of base64url. */
async function signed(secret: string, text: string): Promise<string> {
  const bytes = (one: string) => new TextEncoder().encode(one)
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await window.crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign'])
  const sum = new Uint8Array(await window.crypto.subtle.sign('HMAC', key, bytes(text)))
  return btoa(String.fromCharCode(...sum))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** The code in the address, which is removed from it before anything else happens. */
export function codeInAddress(): string | null {
  const [, code] = /^#code=([\w-]{1,100})$/.exec(window.location.hash) ?? []
  if (code === undefined) return null
  window.history.replaceState(null, '', window.location.pathname + window.location.search)
  return code
}

window.addEventListener('storage', event => {
  if (event.key === name || event.key === null) ownKey.set(window.localStorage.getItem(name))
})
