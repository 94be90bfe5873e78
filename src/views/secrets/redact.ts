/**
 * Secrets out of a text, before it is shown, exported or kept: the values of variables whose name says so, and
 * what looks like a secret (views/secrets/forms). Works on a stream: however the text is cut into chunks, what
 * comes out is the same. Word by word, so that nothing waits longer than for the end of its word, and what is
 * kept back is bounded. Quotes, backslashes and brackets are never taken, so that JSON stays JSON.
 * Not seen: a secret that is encoded, or cut by the text itself.
 */
import { isOrdinary, marker, redactWord, shortestSecret } from './forms.ts'
import { mayHoldSecret } from './suspicion.ts'

/** `ordinary`: a word of everyday language, a secret only where the text calls it one. */
export type Secret = { name: string; value: string; ordinary?: true }

export type Redactor = {
  push(chunk: string): string
  /** What was kept back, when no more comes. */
  end(): string
  /** How many secrets were taken out so far. */
  count(): number
}

const secretName = /SECRET_KEY_BASE$|(?:^|_)(?:TOKEN|SECRET|API_?KEY|PAT)$|_KEY$|PASSW(?:OR)?D|PASSPHRASE/i
const longestValue = 4_096
const longestWord = 8_192
const contextChars = 128
/** Looked at as a whole first: secrets are rare, and most blocks are passed on as they are. */
const blockChars = 4_096

/** Of the environment: what its names call a secret. A path is none. */
export function secretsIn(env: Record<string, string | undefined>): Secret[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const secret = value !== undefined && value.length >= 8 && !value.startsWith('/') && secretName.test(name)
    if (!secret) return []
    return [
      { name, value: value.slice(0, longestValue), ...(isOrdinary(value) && { ordinary: true as const }) },
    ]
  })
}

export function redactor(secrets: readonly Secret[]): Redactor {
  const values = valueStage(secrets.filter(({ ordinary }) => !ordinary))
  const words = secrets.filter(({ ordinary }) => ordinary).map(({ value }) => value)
  const forms = formStage(new Set(words))
  return {
    // Forms first: a short value inside a key must not break it into what is none.
    push: chunk => values.push(forms.push(chunk)),
    end: () => values.push(forms.end()) + values.end(),
    count: () => values.count() + forms.count(),
  }
}

/** A whole text. */
export function redactText(text: string, secrets: readonly Secret[]): string {
  const redact = redactor(secrets)
  return redact.push(text) + redact.end()
}

/** Every string in a value of JSON, names of fields too. */
export function redactAll<T>(value: T, secrets: readonly Secret[]): T {
  if (typeof value === 'string') return redactText(value, secrets) as T
  if (Array.isArray(value)) return value.map(item => redactAll(item, secrets)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, item]) => [redactText(key, secrets), redactAll(item, secrets)]),
  ) as T
}

/** Exact values, whatever is in them. */
function valueStage(secrets: readonly Secret[]): Redactor {
  const known = secrets.toSorted((a, b) => b.value.length - a.value.length)
  const escaped = known.map(({ value }) => value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`))
  const pattern = new RegExp(escaped.join('|'), 'g')
  let carry = ''
  let count = 0
  const pass = (text: string, keep: number): string => {
    let out = ''
    let at = 0
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (index >= keep) break
      out += text.slice(at, index) + marker(`$${known.find(({ value }) => value === found)?.name}`)
      at = index + found.length
      count += 1
    }
    carry = text.slice(Math.max(at, keep))
    return out + text.slice(at, Math.max(at, keep))
  }
  return {
    push(chunk) {
      if (known.length === 0) return chunk
      const text = carry + chunk
      return pass(text, begunAt(text, known))
    },
    end: () => (known.length === 0 ? '' : pass(carry, carry.length)),
    count: () => count,
  }
}

/** Where a value may have begun that the text does not hold to its end. */
function begunAt(text: string, known: readonly Secret[]): number {
  const longest = known[0]?.value.length ?? 0
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
    const rest = text.slice(at)
    if (known.some(({ value }) => value.length > rest.length && value.startsWith(rest))) return at
  }
  return text.length
}

const separators = String.raw`\x00-\x20"'\`<>(){}[\],;|\\`
const pieces = new RegExp(`([^${separators}]{1,${longestWord}})|[${separators}]+`, 'g')
const separator = new RegExp(`[${separators}]`)

/** A private key in progress: whether its marker stands, whether its last line was seen, the space since. */
type Key = { shown: boolean; closing: boolean; space: string }

type Reading = {
  /** A word that may go on in the next chunk. */
  carry: string
  /** The newest text before what is read. */
  before: string
  /** How much was read since there was anything that could belong to a secret. */
  calm: number
  key: Key | null
  count: number
  /** Secrets that are ordinary words. */
  words: ReadonlySet<string>
}

function formStage(words: ReadonlySet<string>): Redactor {
  const state: Reading = { carry: '', before: '', calm: contextChars, key: null, count: 0, words }
  return {
    push(chunk) {
      if (chunk === '') return ''
      const text = state.carry + chunk
      let cut = text.length
      while (cut > 0 && !separator.test(text.charAt(cut - 1))) cut -= 1
      // A word longer than any secret goes on in pieces, counted from its beginning.
      cut += Math.floor((text.length - cut) / longestWord) * longestWord
      state.carry = text.slice(cut)
      return passed(state, text.slice(0, cut))
    },
    end() {
      const rest = passed(state, state.carry)
      state.carry = ''
      return rest + leaveKey(state)
    },
    count: () => state.count,
  }
}

/** Text that ends where a word does. */
function passed(state: Reading, text: string): string {
  let out = ''
  for (const block of linesOf(text, blockChars)) {
    const calm = !state.key && state.calm >= contextChars && !mayHoldSecret(block)
    out += calm ? calmly(state, block) : lineByLine(state, block)
  }
  return out
}

function lineByLine(state: Reading, text: string): string {
  let out = ''
  for (const line of linesOf(text, 1)) {
    const hit = mayHoldSecret(line)
    if (hit) state.calm = 0
    const near = state.key !== null || state.calm < contextChars
    out += near ? wordByWord(state, line) : calmly(state, line)
    if (!hit) state.calm += line.length
  }
  return out
}

/** The text in pieces that end with a line, each of at least so many characters. */
function* linesOf(text: string, least: number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at + least - 1) + 1 || text.length
    yield text.slice(at, end)
    at = end
  }
}

function calmly(state: Reading, text: string): string {
  state.before = (state.before + text.slice(-contextChars)).slice(-contextChars)
  return text
}

function wordByWord(state: Reading, text: string): string {
  const whole = state.before + text
  const offset = state.before.length
  let out = ''
  for (const { 0: piece, 1: word, index } of text.matchAll(pieces)) {
    if (word === undefined) out += between(state, piece)
    else if (!state.key && word.length < shortestSecret) out += word
    else {
      const at = index + offset
      out += read(state, word, whole.slice(Math.max(0, at - contextChars), at))
    }
  }
  state.before = whole.slice(-contextChars)
  return out
}

/** White space inside a key goes with it; anything else that separates stays. */
function between(state: Reading, piece: string): string {
  const { key } = state
  if (!key) return piece
  const kept = piece.trimEnd()
  const shown = kept === '' ? '' : key.space + kept
  key.space = (kept === '' ? key.space : '') + piece.slice(kept.length)
  return key.space.length > contextChars ? shown + leaveKey(state) : shown
}

function leaveKey(state: Reading): string {
  const space = state.key?.space ?? ''
  state.key = null
  return space
}

function read(state: Reading, word: string, before: string): string {
  const lead = word.slice(0, escapeLength(before, word))
  const body = word.slice(lead.length)
  if (state.key) {
    const material = keyMaterial(state, lead, body)
    if (material !== null) return material
  }
  const space = leaveKey(state)
  const context = () => before.replaceAll(/\u001B\[[\d;:]*m|\\/g, '')
  const begins = body.includes('-----') && keyBegins.test(context() + body)
  const redacted = begins ? beginKey(state, body) : redactWord(body, context, state.words)
  if (redacted !== body) state.count += 1
  return space + lead + redacted
}

function beginKey(state: Reading, body: string): string {
  const head = /^(?:KEY|BLOCK)-----/.exec(body)?.[0] ?? ''
  const shown = body !== head
  state.key = { shown, closing: false, space: '' }
  return shown ? head + marker('private-key') : body
}

/** What stays of a word inside a key; null when it is not of the key any more. */
function keyMaterial(state: Reading, lead: string, body: string): string | null {
  const { key } = state
  if (!key) return null
  const { shown, space } = key
  // Joins of lines in a program, and the head of an encrypted key.
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

const keyBegins = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE (?:KEY|KEY BLOCK)-----[A-Za-z0-9+/=]*$/

function isKeyMaterial(shown: boolean, body: string): boolean {
  if (/^[+-]?[A-Za-z0-9+/=]{16,}$/.test(body)) return true
  return shown && /^[+-]?[A-Za-z0-9+/=]+$/.test(body)
}

/** What of a word is the end of an escape that began before it: of `\nabc` the n, of a colour `31m`. */
function escapeLength(before: string, word: string): number {
  if (before.endsWith('\\')) return /^(?:u[\dA-Fa-f]{4}|[a-z])/.exec(word)?.[0].length ?? 0
  if (!before.endsWith('[') && !before.endsWith(';')) return 0
  if (!/(?:\u001B|\\u001b|\\x1b|\\e|\\033)\[[\d;:]*$/i.test(before)) return 0
  return /^[\d;:]*m/.exec(word)?.[0].length ?? 0
}
