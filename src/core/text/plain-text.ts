/**
 * The only filter between a terminal and foreign text: an agent's output or question, a prompt, a promise, the name
 * of a file or process. It drops escapes except colour, and control characters except newline and tab; invisible
 * characters and those that reorder a line are spelled out. It works on a stream: the result does not depend on the
 * chunks, and the text held back between two of them is bounded. `cli/terminal` passes all output through it; views
 * that make lines use `safeLine` and `spelledOut`.
 */

// ESC and the part of an escape that follows it: CSI, the opening of a string (OSC, DCS and the like), or a short
// escape. Without its last character (the group) at the end of a chunk, it can continue in the next one.
const escape =
  /\u001B(?:\[[\x30-\x3F]{0,256}[\x20-\x2F]{0,16}([\x40-\x7E])?|([\]PX^_])|[\x20-\x2F]{0,16}([\x30-\x7E])?)/y
const colour = /^\u001B\[[\d;:]*m$/
const colours = /\u001B\[[\d;:]*m/g
// A string ends with BEL, or is cut by CAN, SUB or the ESC of the next escape, which can be its proper end. No
// string continues in the next line, so it cannot hide other lines.
const stringEnd = /[\u0007\u0018\u001A\u001B\r\n]/g
/** An unterminated string is text again after this many characters: a stray ESC must not hide the rest. */
const longestString = 4_096

/** `colour`: whether colours are kept. */
export function plainText({ colour: keepsColour } = { colour: true }): (chunk: string) => string {
  let carry = ''
  let inString = 0
  let afterReturn = false
  const print = printer()
  return chunk => {
    if (chunk === '') return ''
    // The carriage return at the end of the previous chunk was already shown as a newline.
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

/** A whole text, made safe to show. */
export function safeText(text: string): string {
  // There is nearly always nothing to remove, and a table can have a thousand of these.
  return control.test(text) || mayHide(text) ? plainText()(text) : text
}

/** The same as a single line, with newlines replaced. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', '\\n')
}

/** A name on one line: invisible characters are spelled out and nothing is dropped. */
export function spelledOut(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu, spelled)
}

/**
 * A value as JSON that is safe to show and means exactly the same: C1 and invisible characters, which JSON.stringify
 * leaves alone, are escaped too.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  if (isPlain(text)) return text
  return text.replaceAll(/[\x7F-\x9F\p{DI}\u2028\u2029\uFFF9-\uFFFB]/gu, escapedUnits)
}

/** Printable ASCII, which is nearly all text: testing for it is much faster than looking for hidden characters. */
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

/** At most this many characters, the last one a mark if the text was cut. */
export function clip(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text
}

/** A table cell without colour: a cut cell would colour the rest of the table. */
export function oneLine(text: string): string {
  if (isPlain(text)) return text
  return safeText(text)
    .replaceAll(colours, '')
    .replaceAll(/[\n\t]/g, ' ')
}

/** `complete` is false if more text could still belong to the escape. */
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

/** Removes conceal and blink: invisible text could be anything. */
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

/** The length of `38;5;n` or `38;2;r;g;b`; 0 for other forms, on which terminals disagree. */
function lengthOfColour([, form, ...values]: string[]): number {
  const many = form === '5' ? 1 : form === '2' ? 3 : 0
  return many > 0 && values.length >= many ? many + 2 : 0
}

const control = /[\x00-\x08\x0B-\x1F\x7F-\x9F]/
const controls = new RegExp(control, 'g')
/** The first half of a surrogate pair. */
const halfPair = /[\uD800-\uDBFF]$/

/**
 * Most text is ASCII with the dashes and marks of loop's own tables, and testing Unicode properties is slow. These
 * ranges hold no character that `unseen` finds.
 */
function mayHide(text: string): boolean {
  return /[^\x00-\xAC\u2010-\u2027\u2030-\u205E\u2190-\u25FF]/.test(text)
}

/** Bidi controls, zero-width characters, tags, and separators that some programs treat as a newline. */
function unseen(): RegExp {
  return /[\p{DI}\u2028\u2029\uFFF9-\uFFFB]/gu
}

/** Prints text without escapes, in pieces. A spelled-out character counts as its closing brace. */
function printer(): (text: string) => string {
  let before = ''
  return text => {
    const plain = text.replaceAll(/\r\n?/g, '\n').replaceAll(controls, '')
    const earlier = before
    before = lastCharacter(plain.slice(-2)) || before
    if (!mayHide(plain)) return plain
    let spelledTo = -1
    const shown = plain.replaceAll(unseen(), (character: string, at: number) => {
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

/** Part of the spelling of the previous character: in an emoji, in scripts with joining letters. */
function belongs(character: string, before: string): boolean {
  if (/[\u200C\u200D]/.test(character))
    return /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}]/u.test(before)
  return (
    /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}\u180B-\u180D\u180F]/u.test(character) &&
    before !== '}' &&
    /[\p{L}\p{N}\p{P}\p{S}]/u.test(before)
  )
}

/** One word of a command as a person would type it for /bin/sh: quoted where it has to be. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
