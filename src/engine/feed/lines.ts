/**
 * The lines of an output as they are shown: safe for a terminal, without secrets, cut if very long, from any line
 * number. Some text before the first line is read but not shown, because it decides the context of a line: a colour,
 * a private key. A search runs over the shown text in bounded steps, so that no secret can be found by guessing.
 */
import { safeLine, safeText } from '../../core/text/plain-text.ts'
import { bareText, hasEscape } from '../../secrets/escapes.ts'
import { redactor, type Secret } from '../../secrets/redact.ts'
import { type FileLine, type Lines, longestShown } from '../../store/files/lines.ts'

/** `n` counts from 0. `colour` restores the colour at the start of the line. `cut` is the number of bytes not shown. */
export type ShownLine = { n: number; text: string; colour: string; cut: number }

export type OutputLines = Pick<Lines, 'grow' | 'count' | 'close'> & {
  read(from: number, many: number): ShownLine[]
  /**
   * The first line at or after `from` (`back`: at or before it) that contains the text; ASCII letters match in
   * either case.
   */
  find(wish: Search): Found
}

type Search = { text: string; from: number; back?: boolean; mostBytes?: number }

/** `line` is null if nothing was found yet; then `next` is the line to continue from, null at the end. */
export type Found = { line: number | null; next: number | null }

/** The size of the context before the first line: more than any private key. */
const contextBytes = 1 << 14
/** The margin read beyond the cut of a long line, so that a secret at the cut is seen whole. */
const marginBytes = 4_096
const searchedBytes = 16 << 20

export function shownLines(lines: Lines, secrets: readonly Secret[]): OutputLines {
  const read = (from: number, many: number) => shownOf(lines, secrets, { from, many })
  return {
    grow: lines.grow,
    count: lines.count,
    close: lines.close,
    read,
    find: wish => find(lines, read, wish),
  }
}

function shownOf(
  lines: Lines,
  secrets: readonly Secret[],
  { from, many }: { from: number; many: number },
): ShownLine[] {
  const raw = lines.read(from, many, longestShown + marginBytes)
  const [first] = raw
  if (!first) return []
  const redact = redactor(secrets)
  redact.push(safeText(lines.before(first, contextBytes).toString()))
  return raw.map(line => shownAs(line, redact.push(`${textOf(line)}\n`)))
}

function textOf({ bytes }: FileLine): string {
  return safeLine(bytes.toString())
}

/** A newline of the previous line can have been held back, because text inside a key is known only at its end. */
function shownAs({ line: n, length, colour }: FileLine, text: string): ShownLine {
  const whole = text.replaceAll('\n', '')
  const shown = length > longestShown ? clipped(whole) : whole
  const cut = length > longestShown ? length - longestShown : 0
  return { n, text: shown, colour: colour === '' ? '' : `\u001B[${colour}m`, cut }
}

/** Removes a partial character or escape at the end. */
function clipped(text: string): string {
  const cut = Buffer.from(text).subarray(0, longestShown).toString()
  const whole = cut.endsWith('\uFFFD') ? cut.slice(0, -1) : cut
  const escape = whole.lastIndexOf('\u001B')
  return escape !== -1 && !whole.includes('m', escape) ? whole.slice(0, escape) : whole
}

function find(
  lines: Lines,
  read: OutputLines['read'],
  { text, from, back = false, mostBytes = searchedBytes }: Search,
): Found {
  const wanted = folded(text)
  const rough = Buffer.from(text).toString('latin1').toLowerCase()
  let at = from
  for (let left = mostBytes; left > 0; ) {
    if (wanted === '' || at < 0 || at >= lines.count().lines) return { line: null, next: null }
    const { first, end, bytes } = lines.around(at)
    left -= bytes.length + 1
    if (mayHold(bytes, rough)) {
      const span = back ? read(first, at - first + 1).toReversed() : read(at, end - at)
      const hit = span.find(line => folded(bareText(line.text)).includes(wanted))
      if (hit) return { line: hit.n, next: null }
    }
    at = back ? first - 1 : end
  }
  return { line: null, next: at }
}

/** A quick test on raw bytes; if escapes can stand inside a word, they are removed first. */
function mayHold(bytes: Buffer, rough: string): boolean {
  const text = bytes.toString('latin1').toLowerCase()
  return text.includes(rough) || (hasEscape(text) && bareText(text).includes(rough))
}

function folded(text: string): string {
  return text.toLowerCase()
}
