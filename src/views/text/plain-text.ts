/**
 * The one filter between a terminal and text of others: what an agent printed or asked, a prompt, a promise, the
 * name of a file or process. Escapes are dropped except colour, control characters except newline and tab;
 * invisible characters and those that reorder a line are spelled out. Works on a stream: however the text is cut
 * into chunks, what comes out is the same, and what is kept back between two of them is bounded.
 * `cli/terminal` puts everything that is printed through it; views that make lines use `safeLine` and `spelledOut`.
 */

// ESC and as much of an escape as follows it: CSI, the opening of a string (OSC, DCS and the like), or a short
// one. Without its last character (the group) at the end of a chunk, it may go on in the next.
const escape =
  /\u001B(?:\[[\x30-\x3F]{0,256}[\x20-\x2F]{0,16}([\x40-\x7E])?|([\]PX^_])|[\x20-\x2F]{0,16}([\x30-\x7E])?)/y
const colour = /^\u001B\[[\d;:]*m$/
const colours = /\u001B\[[\d;:]*m/g
// A string ends with BEL, or is cut short by CAN, SUB or the ESC of the next escape, which may be its proper end.
// None goes on in the next line, so that one in a line of ours hides nothing of the others.
const stringEnd = /[\u0007\u0018\u001A\u001B\r\n]/g
/** A string that does not end is text again after this many characters: a stray ESC must not hide the rest. */
const longestString = 4_096

/** `colour`: whether colours may stay. */
export function plainText({ colour: keepsColour } = { colour: true }): (chunk: string) => string {
  let carry = ''
  let inString = 0
  let afterReturn = false
  const print = printer()
  return chunk => {
    if (chunk === '') return ''
    // Its carriage return was shown as a newline at the end of the chunk before.
    const text = carry + (afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk)
    carry = ''
    afterReturn = false
    let out = ''
    let at = 0
    while (at < text.length) {
      if (inString > 0) {
        const end = endOfString(text, at, inString)
        inString = end.closed ? 0 : inString - (end.at - at)
        at = end.at
        continue
      }
      const esc = text.indexOf('\u001B', at)
      if (esc === -1) {
        carry = halfPair.exec(text.slice(-1))?.[0] ?? ''
        out += print(text.slice(at, text.length - carry.length))
        afterReturn = text.endsWith('\r')
        break
      }
      out += print(text.slice(at, esc))
      const found = escapeAt(text, esc)
      if (!found.complete) {
        carry = text.slice(esc)
        break
      }
      if (found.opensString) inString = longestString
      if (keepsColour && colour.test(found.whole)) out += visibleColour(found.whole)
      at = esc + found.whole.length
    }
    return out
  }
}

/** A whole text as it may be shown. */
export function safeText(text: string): string {
  // Nearly always there is nothing to take out, and a table may have a thousand of these.
  return control.test(text) || mayHide(text) ? plainText()(text) : text
}

/** The same for what has to stay one line, whoever put a newline into it. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', '\\n')
}

/** A name as it is, on one line: every character that could not be seen is spelled out, and nothing dropped. */
export function spelledOut(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu, spelled)
}

/**
 * A value as JSON that is safe to show and still says exactly the same: what JSON.stringify leaves as it is,
 * C1 and invisible characters, is escaped too.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  if (isPlain(text)) return text
  return text.replaceAll(/[\x7F-\x9F\p{DI}\u2028\u2029\uFFF9-\uFFFB]/gu, escapedUnits)
}

/** Printable ASCII, as nearly all text is: much faster than looking for what may be hidden in it. */
function isPlain(text: string): boolean {
  return !/[^ -~]/.test(text)
}

function escapedUnits(character: string): string {
  return character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

function spelled(character: string): string {
  return character === '\n' ? '\\n' : `\\u{${character.codePointAt(0)?.toString(16)}}`
}

/** So many characters of it, the last a mark where more was left out. */
export function clip(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text
}

/** As a cell of a table. Without colour: cut off before its end, it would go on in the rest of the table. */
export function oneLine(text: string): string {
  if (isPlain(text)) return text
  return safeText(text)
    .replaceAll(colours, '')
    .replaceAll(/[\n\t]/g, ' ')
}

/** `complete` unless more of the text could still belong to it. */
function escapeAt(text: string, at: number): { whole: string; complete: boolean; opensString: boolean } {
  escape.lastIndex = at
  const [whole = '\u001B', csi, string, short] = escape.exec(text) ?? []
  const complete = Boolean(csi ?? string ?? short) || at + whole.length < text.length
  return { whole, complete, opensString: string !== undefined }
}

function endOfString(text: string, at: number, left: number): { at: number; closed: boolean } {
  stringEnd.lastIndex = at
  const found = stringEnd.exec(text)
  const limit = Math.min(text.length, at + left)
  if (!found || found.index >= limit) return { at: limit, closed: false }
  const isOver = !'\u001B\r\n'.includes(found[0])
  return { at: found.index + (isOver ? 1 : 0), closed: true }
}

/** Without conceal and blink: text that a person does not see could be anything. */
function visibleColour(sequence: string): string {
  if (!/[568]/.test(sequence)) return sequence
  const kept: string[] = []
  const codes = sequence.slice(2, -1).split(';')
  while (codes.length > 0) {
    const [code = ''] = codes
    const many = ['38', '48', '58'].includes(code) ? lengthOfColour(codes) : 1
    const taken = codes.splice(0, Math.max(1, many))
    if (many > 0 && !hidden.has(Number.parseInt(code, 10))) kept.push(...taken)
  }
  return kept.length > 0 ? `\u001B[${kept.join(';')}m` : ''
}

const hidden = new Set([5, 6, 8])

/** `38;5;n` and `38;2;r;g;b`; 0 where it is neither, since terminals disagree on what the rest would mean. */
function lengthOfColour([, form, ...values]: string[]): number {
  const many = form === '5' ? 1 : form === '2' ? 3 : 0
  return many > 0 && values.length >= many ? many + 2 : 0
}

const control = /[\x00-\x08\x0B-\x1F\x7F-\x9F]/
const controls = new RegExp(control, 'g')
/** Bidi controls, zero-width characters, tags, separators that some programs take for a newline. */
const unseen = /[\p{DI}\u2028\u2029\uFFF9-\uFFFB]/gu
/** The first half of a character that is two units long. */
const halfPair = /[\uD800-\uDBFF]$/

/** Most text is ASCII, and looking for properties of characters is slow. */
function mayHide(text: string): boolean {
  return /[^\x00-\x7F]/.test(text)
}

/** Text without escapes, in pieces. A character that was spelled out counts as the brace that ends its spelling. */
function printer(): (text: string) => string {
  let before = ''
  return text => {
    const plain = text.replaceAll(/\r\n?/g, '\n').replaceAll(controls, '')
    const earlier = before
    before = lastCharacter(plain.slice(-2)) || before
    if (!mayHide(plain)) return plain
    let spelledTo = -1
    const shown = plain.replaceAll(unseen, (character: string, at: number) => {
      const previous = at === spelledTo ? '}' : lastCharacter(plain.slice(Math.max(0, at - 2), at)) || earlier
      if (belongs(character, previous)) return character
      spelledTo = at + character.length
      return spelled(character)
    })
    if (spelledTo === plain.length) before = '}'
    return shown
  }
}

function lastCharacter(text: string): string {
  return /[^]$/u.exec(text)?.[0] ?? ''
}

/** Part of how the character before it is written: in an emoji, in scripts whose letters join. */
function belongs(character: string, before: string): boolean {
  if (/[\u200C\u200D]/.test(character))
    return /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}]/u.test(before)
  return (
    /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}\u180B-\u180D\u180F]/u.test(character) &&
    before !== '}' &&
    /[\p{L}\p{N}\p{P}\p{S}]/u.test(before)
  )
}
