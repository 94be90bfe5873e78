/**
 * The escapes of a terminal inside words: colours and other CSI, short ones, strings such as titles and links; as
 * they are, and as JSON spells them. None of them shows a character, so a word goes on behind one: a token with a
 * colour inside is one word, judged without the escape. Here is where such a word ends, and how its escapes come
 * back. However the text is cut, its words are the same: what may go on is held back, and that is bounded.
 */

export const separators = String.raw`\x00-\x20"'\`<>(){}[\],;|\\`
export const longestWord = 8_192

const longestString = 2_048
const spelled = String.raw`\\(?:[uU]001[bB]|x1[bB]|e|033)`
const escape = [
  String.raw`\x1B\[[\x30-\x3F]{0,64}[\x20-\x2F]{0,8}[\x40-\x7E]`,
  // A string ends with BEL, CAN or SUB, or before the ESC of what may be its proper end.
  String.raw`\x1B[\]PX^_][^\x07\x18\x1A\x1B\r\n]{0,${longestString}}(?:[\x07\x18\x1A]|(?=\x1B))`,
  String.raw`\x1B[\x20-\x2F]{0,8}[\x30-\x4F\x51-\x57\x59\x5A\x5C\x60-\x7E]`,
  // Without a quote or a backslash inside: a JSON document with one of these moved is one still.
  String.raw`${spelled}(?:\[[\d;:?]{0,64}[A-Za-z]|[()][A-Z\d])`,
  String.raw`${spelled}\][^"\\\r\n]{0,${longestString}}\\(?:[uU]0007|x07|a|007|[uU]001[bB]\\\\)`,
].join('|')
const escapes = new RegExp(escape, 'g')
const spelledBegins = new RegExp(String.raw`${spelled}[[\]()]`)
/** The beginning of an escape, or of what may be none after all, up to the end of the text. */
const unfinished = new RegExp(
  [
    String.raw`\x1B(?:\[[\x20-\x3F]{0,72}|[\]PX^_][^\x07\x18\x1A\x1B\r\n]{0,${longestString}}|[\x20-\x2F]{0,8})$`,
    String.raw`\\[uUxe]?[\dbB]{0,4}(?:\[[\d;:?]{0,64}|[()]|\][^"\\\r\n]{0,${longestString}}(?:\\[\w\\]{0,7})?)?$`,
  ].join('|'),
  'y',
)
const longestSpelling = 6

const part = new RegExp(`${escape}|[^${separators}]{1,256}`, 'y')
/** ESC and the backslash only as the first: an escape may begin with the next. */
const gap = new RegExp(String.raw`[${separators}][\x00-\x1A\x1C-\x20"'\`<>(){}[\],;|]*`, 'y')
const separator = new RegExp(`[${separators}]`)

export function hasEscape(text: string): boolean {
  return text.includes('\u001B') || (text.includes('\\') && spelledBegins.test(text))
}

/** What is left without escapes. */
export function bareText(text: string): string {
  return hasEscape(text) ? text.replaceAll(escapes, '') : text
}

/** `shown` is what stands for the bare text of the word: its escapes where they were, or behind what is not shown. */
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

/** Words with the escapes in them, and what is between. */
export function* wordsAndGaps(text: string): Generator<{ piece: string; isWord: boolean }> {
  for (let at = 0; at < text.length; ) {
    const end = wordEnd(text, at)
    const to = end > at ? end : at + lengthAt(gap, text, at)
    yield { piece: text.slice(at, to), isWord: end > at }
    at = to
  }
}

/** Where a word begins that may go on in the next chunk. The text begins where a word or a gap does. */
export function heldFrom(text: string): number {
  if (!hasEscape(text) && !text.slice(-longestSpelling).includes('\\')) return lastWord(text)
  // No escape goes on in the next line.
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
  // A word longer than any secret goes on in pieces, counted from its beginning.
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
