/**
 * Finds the beginnings of the lines of an output, and the colour at each: in one pass, in pieces as the output grows. A
 * line ends as on a terminal: with `\n`, `\r\n`, or `\r` alone. A sequence that may continue in the next piece (an
 * escape, a `\r` at the end) is left for it.
 */
import { colourAfter } from './colour.ts'

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
