/**
 * Cuts a line into pieces that fit a width, so that each can have a mark before it, and makes tables of aligned cells that
 * fit. Columns are counted as terminals do: two for wide characters, none for combining marks. A piece ends its colour, and
 * the next one restores it.
 */
import { columnsOf, cutTo, textWidth } from './width.ts'

const token = /\u001B\[[\d;:]*m|[^]/gu
const colourEnd = '\u001B[0m'
const tabColumns = 8

/** For safe text on one line. Returns at least one piece. */
export function wrapped(line: string, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let column = 0
  let colour = ''
  for (const [text] of line.matchAll(token)) {
    if (text.startsWith('\u001B')) {
      colour = /^\u001B\[[0;]*m$/.test(text) ? '' : colour + text
      piece += text
      continue
    }
    const shown = text === '\t' ? ' '.repeat(tabColumns - (column % tabColumns)) : text
    const columns = text === '\t' ? shown.length : columnsOf(text)
    if (column > 0 && column + columns > width) {
      pieces.push(colour === '' ? piece : piece + colourEnd)
      piece = colour
      column = 0
    }
    piece += shown
    column += columns
  }
  return [...pieces, piece]
}

/** Text of several lines, each broken between words; what is longer than a row is cut where the row ends. */
export function folded(text: string, width: number): string[] {
  const most = Math.max(1, width)
  return text.split('\n').flatMap(line => {
    const [indent = ''] = /^ */.exec(line) ?? []
    if (indent.length >= most / 2) return wrapped(line, most)
    return wrap(line.slice(indent.length), most - indent.length).flatMap(row => wrapped(indent + row, most))
  })
}

/**
 * A line with a label before its words (`  promise     tests: FAIL`), broken between words; the rows after the first
 * begin below the words. What is to be typed stays one line, which the terminal breaks: so it can be copied.
 */
export function hung(line: string, width: number | null): string[] {
  if (width === null || textWidth(line) <= width || toType.test(line)) return [line]
  const [label = ''] = /^ *(?:\S+(?: \S+)? {2,})?/.exec(line) ?? []
  const left = label === '' ? 2 : label.length
  if (left > width / 2) return [line]
  const [first = '', ...rest] = wrap(line.slice(label.length), width - left)
  return [label + first, ...rest.map(row => ' '.repeat(left) + row)]
}

const toType = /^ *next /

/**
 * Makes text fit a width: broken between words, or cut at its beginning. Lines of at most this many characters; a
 * longer word gets its own line.
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  // A separator between two facts stays on the line of the first.
  for (const word of text.split(/ (?!·)/)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** The end of a path is its most useful part. */
export function clipStart(text: string, width: number): string {
  return text.length > width ? `…${text.slice(1 - width)}` : text
}

/** Cells in aligned columns, with this many spaces between. */
export function align(rows: readonly (readonly string[])[], gap = 3): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0)))
  return rows.map(cells =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

type TableWish = {
  /** Of the terminal; null: as wide as it is. */
  width: number | null
  /** The columns that may be missing, the first to go first. */
  spare: readonly string[]
  gap?: number
}

/** A table that fits: columns that say the least are left out. The first row has the names of the columns. */
export function fittedTable(
  rows: readonly (readonly string[])[],
  { width, spare, gap = 3 }: TableWish,
): string[] {
  const lines = align(rows, gap)
  if (width === null || widest(lines) <= width) return lines
  if (gap > narrowGap) return fittedTable(rows, { width, spare, gap: narrowGap })
  const [name, ...rest] = spare
  if (name === undefined) return lines.map(line => cutTo(line, width))
  const at = rows[0]?.indexOf(name) ?? -1
  const fewer = at === -1 ? rows : rows.map(row => row.toSpliced(at, 1))
  return fittedTable(fewer, { width, spare: rest, gap })
}

const narrowGap = 2

function widest(lines: readonly string[]): number {
  return lines.reduce((most, { length }) => Math.max(most, length), 0)
}
