/**
 * Redacts a private key inside a text: its first line stays, its material is removed word by word until a word is no
 * key material. secrets/redact splits the text into words.
 */
import { marker } from './forms.ts'

/** A key in progress: whether its marker was written, whether its last line was seen, and the white space since. */
type Key = { shown: boolean; closing: boolean; space: string }

/** `count`: the number of secrets removed so far. */
export type KeyReading = { key: Key | null; count: number }

/** Longer white space ends a key. */
const longestSpace = 128

/** The gap between two words: white space inside a key is removed with it, other separators stay. */
export function between(state: KeyReading, piece: string): string {
  const { key } = state
  if (!key) return piece
  const kept = piece.trimEnd()
  const shown = kept === '' ? '' : key.space + kept
  key.space = (kept === '' ? key.space : '') + piece.slice(kept.length)
  return key.space.length > longestSpace ? shown + leaveKey(state) : shown
}

export function leaveKey(state: KeyReading): string {
  const space = state.key?.space ?? ''
  state.key = null
  return space
}

export function beginKey(state: KeyReading, body: string): string {
  const head = /^(?:KEY|BLOCK)-----/.exec(body)?.[0] ?? ''
  const shown = body !== head
  state.key = { shown, closing: false, space: '' }
  return shown ? head + marker('private-key') : body
}

/** The rest of a word inside a key; null if the word no longer belongs to the key. */
export function keyMaterial(state: KeyReading, lead: string, body: string): string | null {
  const { key } = state
  if (!key) return null
  const { shown, space } = key
  // A `+` that joins lines in a program, and the headers of an encrypted key, stay.
  if (/^[+-]{0,2}$/.test(body) || (!shown && /^(?:Proc-Type:|DEK-Info:|[A-Z0-9-]{1,15})$/.test(body))) {
    key.space = ''
    return space + lead + body
  }
  if (key.closing || !isKeyMaterial(shown, body)) return null
  state.key = { shown: true, closing: shown && body.length < 16, space: '' }
  if (shown) return lead
  state.count += 1
  return space + lead + marker('private-key')
}

export const keyBegins = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE (?:KEY|KEY BLOCK)-----[A-Za-z0-9+/=]*$/

function isKeyMaterial(shown: boolean, body: string): boolean {
  if (/^[+-]?[A-Za-z0-9+/=]{16,}$/.test(body)) return true
  return shown && /^[+-]?[A-Za-z0-9+/=]+$/.test(body)
}
