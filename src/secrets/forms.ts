/**
 * The forms of secrets: known prefixes, and random values after a telling name. One word (a run of characters without
 * spaces, quotes and brackets) is judged by itself and by the text before it. Every pattern is linear in the length of
 * the word, because hostile output could be made to be slow.
 */
import { morePrefixes, prefixes, tellingWords } from './suspicion.ts'

const forms: [string, RegExp][] = [
  ['aws', /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])/g],
  ['github', /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/g],
  ['gitlab', /(?<![A-Za-z0-9])gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[\w-]{20,}/g],
  ['slack', /(?<![A-Za-z0-9])(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,})/g],
  ['slack', /(?<=hooks\.slack\.com\/services\/)T\w{1,20}\/B\w{1,20}\/[A-Za-z0-9]{16,}/g],
  ['stripe', /(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}/g],
  ['anthropic', /(?<![A-Za-z0-9])sk-ant-[\w-]{20,}/g],
  ['openai', /(?<![A-Za-z0-9])sk-(?:(?:proj|svcacct|admin|or-v1)-[\w-]{20,}|[A-Za-z0-9]{32,}(?![\w-]))/g],
  ['google', /(?<![A-Za-z0-9])(?:AIza[\w-]{35}(?![\w-])|ya29\.[\w-]{20,}|GOCSPX-[\w-]{28})/g],
  ['npm', /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g],
  ['pypi', /(?<![A-Za-z0-9])pypi-AgE[\w-]{50,}/g],
  ['huggingface', /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{34,}/g],
  ['sendgrid', /(?<![A-Za-z0-9])SG\.[\w-]{22}\.[\w-]{43}/g],
  ['digitalocean', /(?<![A-Za-z0-9])do[opr]_v1_[a-f0-9]{64}/g],
  ['shopify', /(?<![A-Za-z0-9])shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}/g],
  ['telegram', /(?<!\d)\d{8,10}:AA[\w-]{32,34}(?![\w-])/g],
  ['age', /(?<![A-Za-z0-9])AGE-SECRET-KEY-1[0-9A-Z]{58}/g],
  ['jwt', /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g],
]

const name =
  '(?:passw(?:or)?d|passphrase|pwd|secret|token|(?:api|access|secret|private|signing|encryption|account)[_-]?key|credential)(?:[_-]?base)?(?:[_-]?v?\\d{1,3})?'

const inWord = new RegExp(`(${name})(?:=|:=?|%3d)([^&?#]+)`, 'gi')
/** `token: "`, `password = '`, `"secret": ` at the end of the text before a word. */
const assigned = new RegExp(`(${name})["'\`]?\\s{0,8}(?:=>|:=|==?|:)\\s{0,8}[a-z]?["'\`]?$`, 'i')
/** `--token ` */
const flagged = new RegExp(`(?:^|\\s)--?(?:[a-z]{1,20}-){0,3}(${name})\\s{1,4}$`, 'i')
const authorized = /authorization["'`]?\s{0,4}[:=]\s{0,4}["'`]?(?:bearer|basic|token|apikey)\s{1,4}$/i
const bearer = /\bbearer\s{1,4}$/i
/** `machine example.org login me password `, as in a .netrc. */
const netrc = /\bmachine\s{1,8}\S{1,253}\s{1,8}login\s{1,8}\S{1,64}\s{1,8}password\s{1,8}$/i
/** `Set-Cookie: a=b; `: each value in the line of a cookie is a secret. */
const cookie = /\b(?:set-)?cookie["'`]?:[^\r\n]{0,120}$/i
/** `"auth": "`, as in docker's configuration file. */
const dockerAuth = /"auth"\s{0,4}:\s{0,4}"$/

/** No secret is shorter. Neither is the last word in the first line of a private key. */
export const shortestSecret = 8

export function marker(kind: string): string {
  return `[redacted:${kind}]`
}

/**
 * The word without its secrets. `before` returns the text before the word, with its quotes. `words` are ordinary words
 * that are a secret only if the text calls them one.
 */
export function redactWord(word: string, before: () => string, words: ReadonlySet<string>): string {
  if (prefixes.test(word) || morePrefixes.test(word)) {
    let text = word
    for (const [kind, form] of forms) text = text.replace(form, marker(kind))
    if (text !== word) return text
    text = redactUrl(word)
    if (text !== word) return text
  }
  if (tellingWords.test(word)) {
    const text = word.replace(inWord, (all: string, key: string, value: string) =>
      looksRandom(value) || words.has(value) ? `${all.slice(0, -value.length)}${marker(kindOf(key))}` : all,
    )
    if (text !== word) return text
  }
  const crumb = /^([\w.-]{1,64}=)(.{16,})$/.exec(word)
  if (crumb && cookie.test(before()) && looksRandom(crumb[2] ?? '')) return `${crumb[1]}${marker('cookie')}`
  if (words.has(word)) return namedMarker(before()) ?? word
  return /[A-Z\d=!@#$%^&*+~]/.test(word) ? redactValue(before(), word) : word
}

function redactUrl(word: string): string {
  if (!word.includes('@')) return word
  return word
    .replace(/(:\/\/[^/?#@:]{0,255}:)[^/?#]+@/g, `$1${marker('url')}@`)
    .replace(/:\/\/([^/?#@:]{20,255})@/g, (all: string, user: string) =>
      looksRandom(user) ? `://${marker('url')}@` : all,
    )
}

function redactValue(before: string, word: string): string {
  if (!tellingWords.test(before)) return word
  if (authorized.test(before) && /^[\w+/=.~-]{8,}$/.test(word) && /[A-Z\d=]/.test(word)) {
    return /^[A-Z_]+$/.test(word) ? word : marker('authorization')
  }
  if (dockerAuth.test(before) && /^[\w+/=-]{16,}$/.test(word) && looksRandom(word))
    return marker('authorization')
  if (netrc.test(before) && word.length >= 8) return marker('password')
  if (bearer.test(before) && word.length >= 16 && looksRandom(word)) return marker('authorization')
  return looksRandom(word) ? (namedMarker(before) ?? word) : word
}

/** The marker for a value after a telling name; null if there is no such name before the word. */
function namedMarker(before: string): string | null {
  const [, key] = assigned.exec(before) ?? flagged.exec(before) ?? []
  return key ? marker(kindOf(key)) : null
}

function kindOf(key: string): string {
  const lower = key.toLowerCase()
  return lower.startsWith('p') && !lower.startsWith('private')
    ? 'password'
    : (/token|secret/.exec(lower)?.[0] ?? 'key')
}

/** True for a value that nobody would choose as a name, a path, a version or a placeholder. */
function looksRandom(value: string): boolean {
  const bare = value.replace(/[.:!?]$/, '')
  if (bare.length < 8 || !/[A-Za-z]/.test(bare) || !/[\d!@#$%^&*+=~]/.test(bare)) return false
  if (/^[$%<{*./~]|:\/\/|^v?\d+\.\d+|\/[\w.-]*\.[a-z]{1,5}$/.test(bare)) return false
  return !bare.split(/[._/:-]/).every(isWordLike) && entropy(bare) >= 2.75
}

/**
 * One or two everyday words: `postgres`, `dev-secret`, `password1`. Redacting such a value wherever it occurs would
 * make texts unreadable and give the value away.
 */
export function isOrdinary(value: string): boolean {
  const parts = value.split(/[._-]/)
  return value.length < 12 && parts.length <= 2 && parts.every(part => part !== '' && isWordLike(part))
}

/** `user`, `getToken2`, `base64`, `2024`: letters with at most one group of digits, and few capitals. */
function isWordLike(part: string): boolean {
  if (!/^[A-Za-z]*\d{0,4}[A-Za-z]*$/.test(part)) return false
  const capitals = part.replaceAll(/[^A-Z]/g, '').length
  return part.length <= 24 && (capitals <= part.length / 3 || /^[A-Z]*\d{0,4}$/.test(part))
}

/** Bits per character, by the frequency of each character in the text itself. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const n of counts.values()) bits -= (n / text.length) * Math.log2(n / text.length)
  return bits
}

/**
 * Redacts a private key inside a text: its first line stays, its material is removed word by word until a word is no
 * key material. secrets/redact splits the text into words.
 */

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
