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
