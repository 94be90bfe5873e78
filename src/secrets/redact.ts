/**
 * Removes secrets from a text before it is shown, exported or kept: the values of variables with a telling name, and
 * words in the form of a secret (secrets/forms). It works on a stream, and the result does not depend on how the
 * text is cut into chunks. It works word by word, so text waits at most for the end of its word and the held-back text
 * is bounded. Quotes, backslashes and brackets are never removed, so JSON stays JSON. Terminal escapes hide nothing
 * (secrets/escapes). Not found: a secret that is encoded, or that the text itself breaks up.
 */
import {
  bareText,
  hasEscape,
  heldFrom,
  longestWord,
  separators,
  withEscapes,
  wordsAndGaps,
} from './escapes.ts'
import {
  beginKey,
  between,
  isOrdinary,
  type KeyReading,
  keyBegins,
  keyMaterial,
  leaveKey,
  marker,
  redactWord,
  shortestSecret,
} from './forms.ts'
import { namesSecret } from './names.ts'
import { mayHoldSecret } from './suspicion.ts'

/** `ordinary`: an everyday word, a secret only where the text calls it one. */
export type Secret = { name: string; value: string; ordinary?: true }

export type Redactor = {
  push(chunk: string): string
  /** The held-back rest of the text, at its end. */
  end(): string
  /** The number of secrets removed so far. */
  count(): number
}

const longestValue = 4_096
const contextChars = 128
/** A block of this size is tested as a whole first: secrets are rare, and most blocks pass unchanged. */
const blockChars = 4_096

/** The secrets in an environment: variables with a telling or configured name. The value of a path is no secret. */
export function secretsIn(env: Record<string, string | undefined>): Secret[] {
  const isNamed = namesSecret(env)
  return Object.entries(env).flatMap(([name, value]) => {
    const secret = value !== undefined && value.length >= 8 && !value.startsWith('/') && isNamed(name)
    if (!secret) return []
    return [
      { name, value: value.slice(0, longestValue), ...(isOrdinary(value) && { ordinary: true as const }) },
    ]
  })
}

export function redactor(secrets: readonly Secret[]): Redactor {
  const known = secrets.filter(({ ordinary }) => !ordinary)
  const values = valueStage(known)
  const words = secrets.filter(({ ordinary }) => ordinary).map(({ value }) => value)
  const forms = formStage(new Set(words), known)
  return {
    // Forms before values: a short value inside a key must not break the key into pieces without a form.
    push: chunk => values.push(forms.push(chunk)),
    end: () => values.push(forms.end()) + values.end(),
    count: () => values.count() + forms.count(),
  }
}

/** Redacts a whole text. */
export function redactText(text: string, secrets: readonly Secret[]): string {
  const redact = redactor(secrets)
  return redact.push(text) + redact.end()
}

/** Redacts every string in a JSON value, the names of fields included. */
export function redactAll<T>(value: T, secrets: readonly Secret[]): T {
  if (typeof value === 'string') return redactText(value, secrets) as T
  if (Array.isArray(value)) return value.map(item => redactAll(item, secrets)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, item]) => [redactText(key, secrets), redactAll(item, secrets)]),
  ) as T
}

/** Removes exact values, whatever characters they contain. */
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

/** The start of a possible value that is cut off at the end of the text. */
function begunAt(text: string, known: readonly Secret[]): number {
  const longest = known[0]?.value.length ?? 0
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
    const rest = text.slice(at)
    if (known.some(({ value }) => value.length > rest.length && value.startsWith(rest))) return at
  }
  return text.length
}

const pieces = new RegExp(`([^${separators}]{1,${longestWord}})|[${separators}]+`, 'g')

type Reading = KeyReading & {
  /** An unfinished word that may continue in the next chunk. */
  carry: string
  /** The latest text before the current position, without escapes. */
  before: string
  /** The number of characters since the last suspicious line. */
  calm: number
  /** True if the current text contains escapes. */
  escaped: boolean
  /** Secrets that are ordinary words. */
  words: ReadonlySet<string>
  known: readonly Secret[]
}

function formStage(words: ReadonlySet<string>, known: readonly Secret[]): Redactor {
  const begun = { carry: '', before: '', calm: contextChars, escaped: false, key: null, count: 0 }
  const state: Reading = { ...begun, words, known }
  return {
    push(chunk) {
      if (chunk === '') return ''
      const text = state.carry + chunk
      const cut = heldFrom(text)
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

/** Redacts a text that ends at the end of a word. */
function passed(state: Reading, text: string): string {
  let out = ''
  state.escaped = hasEscape(text)
  for (const block of linesOf(text, blockChars)) {
    const calm = !state.key && state.calm >= contextChars && !suspicious(state, block)
    out += calm ? calmly(state, block) : lineByLine(state, block)
  }
  return out
}

function suspicious({ escaped, known }: Reading, text: string): boolean {
  if (mayHoldSecret(text)) return true
  if (!escaped) return false
  const bare = bareText(text)
  return mayHoldSecret(bare) || known.some(({ value }) => bare.includes(value))
}

function lineByLine(state: Reading, text: string): string {
  let out = ''
  for (const line of linesOf(text, 1)) {
    const hit = suspicious(state, line)
    if (hit) state.calm = 0
    const near = state.key !== null || state.calm < contextChars
    out += near ? wordByWord(state, line) : calmly(state, line)
    if (!hit) state.calm += bareOf(state, line).length
  }
  return out
}

/** The text in pieces of whole lines, each at least `least` characters long. */
function* linesOf(text: string, least: number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at + least - 1) + 1 || text.length
    yield text.slice(at, end)
    at = end
  }
}

function calmly(state: Reading, text: string): string {
  state.before = (state.before + bareOf(state, text).slice(-contextChars)).slice(-contextChars)
  return text
}

function bareOf({ escaped }: Reading, text: string): string {
  return escaped ? bareText(text) : text
}

function wordByWord(state: Reading, text: string): string {
  if (state.escaped) return throughEscapes(state, text)
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

function throughEscapes(state: Reading, text: string): string {
  let out = ''
  for (const { piece, isWord } of wordsAndGaps(text)) {
    const bare = bareText(piece)
    if (!isWord) out += between(state, piece)
    else if (!state.key && piece.length < shortestSecret) out += piece
    else if (bare === piece) out += read(state, piece, state.before)
    else out += eachByItself(state, withEscapes(piece, joined(state, bare)))
    state.before = (state.before + bare).slice(-contextChars)
  }
  return out
}

/** Redacts the bare text of a word that has escapes in it. */
function joined(state: Reading, bare: string): string {
  if (bare === '') return bare
  const shown = read(state, bare, state.before)
  if (shown !== bare) return shown
  const values = valueStage(state.known)
  const known = values.push(bare) + values.end()
  state.count += values.count()
  return known
}

/** Also redacts each part of such a word, between its escapes and inside them: a whole token may follow a colour. */
function eachByItself(state: Reading, text: string): string {
  return text.replaceAll(pieces, (piece: string, word: string | undefined, at: number) => {
    if (word === undefined || word.length < shortestSecret) return piece
    const before = state.before + text.slice(Math.max(0, at - contextChars), at)
    const lead = word.slice(0, escapeLength(before, word))
    const body = word.slice(lead.length)
    const redacted = redactWord(body, () => contextOf(bareText(before)), state.words)
    if (redacted !== body) state.count += 1
    return lead + redacted
  })
}

function contextOf(before: string): string {
  return before.replaceAll('\\', '')
}

function read(state: Reading, word: string, before: string): string {
  const lead = word.slice(0, escapeLength(before, word))
  const body = word.slice(lead.length)
  if (state.key) {
    const material = keyMaterial(state, lead, body)
    if (material !== null) return material
  }
  const space = leaveKey(state)
  const context = () => contextOf(before)
  const begins = body.includes('-----') && keyBegins.test(context() + body)
  const redacted = begins ? beginKey(state, body) : redactWord(body, context, state.words)
  if (redacted !== body) state.count += 1
  return space + lead + redacted
}

/** The length of the end of an escape at the start of a word: the `n` of `\nabc`, the `31m` of a colour. */
function escapeLength(before: string, word: string): number {
  if (before.endsWith('\\')) return /^(?:u[\dA-Fa-f]{4}|[a-z])/.exec(word)?.[0].length ?? 0
  if (!before.endsWith('[') && !before.endsWith(';')) return 0
  if (!/(?:\u001B|\\u001b|\\x1b|\\e|\\033)\[[\d;:]*$/i.test(before)) return 0
  return /^[\d;:]*m/.exec(word)?.[0].length ?? 0
}
