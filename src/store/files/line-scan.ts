/**
 * Finds the beginnings of the lines of an output, and the colour at each: in one pass, in pieces as the output grows. A
 * line ends as on a terminal: with `\n`, `\r\n`, or `\r` alone. A sequence that may continue in the next piece (an
 * escape, a `\r` at the end) is left for it.
 */

/**
 * The colour in effect at a position of a text: the combined effect of the colour escapes (SGR) before it, as
 * the shortest escape that restores it. A text can thus be shown from its middle. Blink and conceal are
 * dropped, as everywhere in the output. Other escapes are ignored.
 */

type Attribute = 'bold' | 'dim' | 'italic' | 'underline' | 'inverse' | 'strike'

type Colour = Partial<Record<Attribute, string>> & { fore?: string; back?: string }

/** The codes that switch an attribute on. */
const on: Record<string, Attribute> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strike',
  21: 'underline',
}

/** The codes that switch something off. */
const off: Record<string, (keyof Colour)[]> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
  39: ['fore'],
  49: ['back'],
}

const order: (keyof Colour)[] = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strike', 'fore', 'back']

/**
 * `before`, `codes` and the result are the text between `ESC[` and `m`; empty means no colour. `codes` is the
 * next escape.
 */
export function colourAfter(before: string, codes: string): string {
  const colour = codes === '' ? {} : parsed(before)
  const parts = codes.split(';')
  for (let at = 0; at < parts.length; ) at += apply(colour, parts, at)
  return order.flatMap(name => colour[name] ?? []).join(';')
}

function parsed(codes: string): Colour {
  const colour: Colour = {}
  const parts = codes === '' ? [] : codes.split(';')
  for (let at = 0; at < parts.length; ) at += apply(colour, parts, at)
  return colour
}

/** Applies the code at this index; returns the number of codes that belong together. */
function apply(colour: Colour, parts: readonly string[], at: number): number {
  const code = parts[at] ?? ''
  const [head = ''] = code.split(':')
  const attribute = on[head]
  if (head === '' || Number(head) === 0) for (const name of order) delete colour[name]
  else if (code === '4:0') delete colour.underline
  else if (attribute) colour[attribute] = head
  else if (off[head]) for (const name of off[head]) delete colour[name]
  else if (/^(?:3[0-7]|9[0-7])$/.test(head)) colour.fore = head
  else if (/^(?:4[0-7]|10[0-7])$/.test(head)) colour.back = head
  else if (head === '38' || head === '48' || head === '58') return applyLong(colour, parts, at)
  return 1
}

/** Applies `38;5;n` or `38;2;r;g;b`, also with colons. Any other form is skipped, as the terminal filter does. */
function applyLong(colour: Colour, parts: readonly string[], at: number): number {
  const code = parts[at] ?? ''
  const many = code.includes(':') ? 1 : parts[at + 1] === '5' ? 3 : parts[at + 1] === '2' ? 5 : 1
  const whole = parts.slice(at, at + many)
  const isWhole = code.includes(':') || (many > 1 && whole.length === many)
  const text = whole.join(';')
  if (isWhole && text.length <= 24 && /^[\d;:]+$/.test(text)) {
    if (code.startsWith('38')) colour.fore = text
    if (code.startsWith('48')) colour.back = text
  }
  return many
}

/** The position in a file at which a line begins. `colour`: the escape codes that restore the colour there. */
export type LineStart = { line: number; at: number; colour: string }

const newline = 10
const carriageReturn = 13
const escape = 27
/** A longer escape is no colour. */
const longestEscape = 64
/** The limit on different colours: hostile output can have any number, ordinary output has a few dozen. */
const mostColours = 4_096

export type Scanner = {
  /** `bytes` begin at `scanned()` in the file. Returns how many were consumed; the rest has to be passed again. */
  read(bytes: Uint8Array, onLine: (start: LineStart) => void): number
  /** The line that is being read, and the current colour. */
  now(): LineStart
  scanned(): number
}

/** A scanner that continues from a position that an earlier one has reached. */
export function scannerFrom(begin: LineStart, scannedBytes = begin.at): Scanner {
  let { line, at, colour } = begin
  let scanned = scannedBytes
  const after = colours()
  return {
    now: () => ({ line, at, colour }),
    scanned: () => scanned,
    read(bytes, onLine) {
      const { length } = bytes
      let i = 0
      while (i < length) {
        const byte = bytes[i] as number
        if (byte > escape || (byte !== newline && byte !== carriageReturn && byte !== escape)) {
          i += 1
          continue
        }
        if (byte === escape) {
          const end = endOfEscape(bytes, i)
          if (end === null) break
          if (bytes[end - 1] === 0x6d) colour = after(colour, codesIn(bytes, i, end))
          i = end
          continue
        }
        if (byte === carriageReturn && i + 1 === length) break
        i += byte === carriageReturn && bytes[i + 1] === newline ? 2 : 1
        line += 1
        at = scanned + i
        onLine({ line, at, colour })
      }
      scanned += i
      return i
    },
  }
}

/** The end of the escape at `from`, or of a lone ESC; null if the escape may continue in the next piece. */
function endOfEscape(bytes: Uint8Array, from: number): number | null {
  if (from + 1 === bytes.length) return null
  if (bytes[from + 1] !== 0x5b) return from + 1
  const last = Math.min(bytes.length, from + longestEscape)
  for (let i = from + 2; i < last; i += 1) {
    const byte = bytes[i] as number
    if (byte >= 0x40 && byte <= 0x7e) return i + 1
    if (byte < 0x20 || byte > 0x3f) return from + 1
  }
  return last === bytes.length && last < from + longestEscape ? null : from + 1
}

/** Null if it is no colour: other escapes that end with m contain `?` and the like. */
function codesIn(bytes: Uint8Array, from: number, end: number): string | null {
  const codes = Buffer.from(bytes.buffer, bytes.byteOffset + from + 2, end - from - 3).toString('latin1')
  return /^[\d;:]*$/.test(codes) ? codes : null
}

/** Each colour is one shared string, however often it occurs. */
function colours(): (before: string, codes: string | null) => string {
  const known = new Map<string, string>()
  return (before, codes) => {
    if (codes === null) return before
    const key = `${before}m${codes}`
    const found = known.get(key)
    if (found !== undefined) return found
    const colour = colourAfter(before, codes)
    if (known.size < mostColours) known.set(key, colour)
    return colour
  }
}
