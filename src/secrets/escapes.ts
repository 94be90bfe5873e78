/**
 * Terminal escapes inside words: colours and other CSI sequences, short escapes, and strings such as titles and links;
 * as bytes, and as JSON spells them. An escape shows no character, so the word continues after it: a token with a
 * colour inside is one word, and it is judged without the escape. This file finds the end of such words and puts
 * escapes back. The result does not depend on how the text is cut into chunks: an unfinished word is held back, up to a
 * limit.
 */

export const separators = String.raw`\x00-\x20"'\`<>(){}[\],;|\\`
export const longestWord = 8_192

const longestString = 2_048
const spelled = String.raw`\\(?:[uU]001[bB]|x1[bB]|e|033)`
const escape = [
  String.raw`\x1B\[[\x30-\x3F]{0,64}[\x20-\x2F]{0,8}[\x40-\x7E]`,
  // A string ends with BEL, CAN or SUB, or before an ESC, which may begin its terminator.
  String.raw`\x1B[\]PX^_][^\x07\x18\x1A\x1B\r\n]{0,${longestString}}(?:[\x07\x18\x1A]|(?=\x1B))`,
  String.raw`\x1B[\x20-\x2F]{0,8}[\x30-\x4F\x51-\x57\x59\x5A\x5C\x60-\x7E]`,
  // Without quotes and backslashes inside, so that moving one of these keeps a JSON document valid.
  String.raw`${spelled}(?:\[[\d;:?]{0,64}[A-Za-z]|[()][A-Z\d])`,
  String.raw`${spelled}\][^"\\\r\n]{0,${longestString}}\\(?:[uU]0007|x07|a|007|[uU]001[bB]\\\\)`,
].join('|')
const escapes = new RegExp(escape, 'g')
const spelledBegins = new RegExp(String.raw`${spelled}[[\]()]`)
/** An unfinished escape, or what may become one, at the end of the text. */
const unfinished = new RegExp(
  [
    String.raw`\x1B(?:\[[\x20-\x3F]{0,72}|[\]PX^_][^\x07\x18\x1A\x1B\r\n]{0,${longestString}}|[\x20-\x2F]{0,8})$`,
    String.raw`\\[uUxe]?[\dbB]{0,4}(?:\[[\d;:?]{0,64}|[()]|\][^"\\\r\n]{0,${longestString}}(?:\\[\w\\]{0,7})?)?$`,
  ].join('|'),
  'y',
)
const longestSpelling = 6

const part = new RegExp(`${escape}|[^${separators}]{1,256}`, 'y')
/** ESC and the backslash are allowed as the first character only: a later one may begin an escape. */
const gap = new RegExp(String.raw`[${separators}][\x00-\x1A\x1C-\x20"'\`<>(){}[\],;|]*`, 'y')
const separator = new RegExp(`[${separators}]`)

export function hasEscape(text: string): boolean {
  return text.includes('\u001B') || (text.includes('\\') && spelledBegins.test(text))
}

/** The text without its escapes. */
export function bareText(text: string): string {
  return hasEscape(text) ? text.replaceAll(escapes, '') : text
}

/** Puts the escapes of `word` into `shown`, its redacted text: at the same place, or after the redacted part. */
export function withEscapes(word: string, shown: string): string {
  const bare = bareText(word)
  if (bare === word) return shown
  const shorter = Math.min(bare.length, shown.length)
  let head = 0
  while (head < shorter && bare[head] === shown[head]) head += 1
  let tail = 0
  while (tail < shorter - head && bare.at(-1 - tail) === shown.at(-1 - tail)) tail += 1
  let out = ''
  let taken = 0
  let put = 0
  for (const { 0: one, index } of word.matchAll(escapes)) {
    const at = index - taken
    const to = at <= head ? at : shown.length - Math.min(tail, bare.length - at)
    out += shown.slice(put, to) + one
    taken += one.length
    put = to
  }
  return out + shown.slice(put)
}

/** Words, with the escapes inside them, and the gaps between words. */
export function* wordsAndGaps(text: string): Generator<{ piece: string; isWord: boolean }> {
  for (let at = 0; at < text.length; ) {
    const end = wordEnd(text, at)
    const to = end > at ? end : at + lengthAt(gap, text, at)
    yield { piece: text.slice(at, to), isWord: end > at }
    at = to
  }
}

/** The start of an unfinished word that may continue in the next chunk. `text` must begin at a word or a gap. */
export function heldFrom(text: string): number {
  if (!hasEscape(text) && !text.slice(-longestSpelling).includes('\\')) return lastWord(text)
  // No escape continues on the next line.
  let at = text.lastIndexOf('\n') + 1
  while (at < text.length) {
    const end = wordEnd(text, at)
    const mayGoOn = end === text.length || lengthAt(unfinished, text, end) > 0
    if (mayGoOn && end - at < longestWord) return at
    at = end > at ? end : at + lengthAt(gap, text, at)
  }
  return at
}

function lastWord(text: string): number {
  let cut = text.length
  while (cut > 0 && !separator.test(text.charAt(cut - 1))) cut -= 1
  // A word longer than any secret is passed on in pieces, counted from its beginning.
  return cut + Math.floor((text.length - cut) / longestWord) * longestWord
}

function wordEnd(text: string, at: number): number {
  let end = at
  while (end - at < longestWord) {
    const length = lengthAt(part, text, end)
    if (length === 0) break
    end += length
  }
  return end
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}
