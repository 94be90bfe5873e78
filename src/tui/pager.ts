/**
 * A window on any number of lines: its position, its movement, its search. Lines that are wider than the window are
 * wrapped, and the window moves by rows, so every part of a long line can be reached. While the window follows, it
 * stays at the end of the lines. The only text in memory is that of the visible rows.
 */
import type { Found, OutputLines } from '../engine/feed/lines.ts'
import { formatBytes } from '../model/units.ts'
import { folded, wrapped } from '../views/layout/columns.ts'
import { withoutTabs } from '../views/layout/width.ts'
import { narrowNumbers } from '../views/text/diff-numbers.ts'

/** The first visible row: its line, and how many rows of that line are above the window. */
type Place = { line: number; sub: number }

/** What stands beside some lines, such as their numbers; it is no part of their text, and nobody searches in it. */
export type Beside = (from: number, many: number) => string[]

export type Paging = {
  lines: OutputLines
  beside: Beside
  /** Text for reading: its lines are broken between words. */
  isProse: boolean
  place: Place
  follows: boolean
  /** The text that is searched for, and the line of the latest match. */
  search: { text: string; found: number | null } | null
}

export type Window = { width: number; height: number }

type PagingWish = { follows: boolean; isProse?: boolean; beside?: Beside | undefined }

export function pagingOf(lines: OutputLines, wish: PagingWish): Paging {
  const { follows, isProse = false, beside = () => [] } = wish
  return { lines, beside, isProse, place: { line: 0, sub: 0 }, follows, search: null }
}

/** `beside`: what stands left of the text; of a wrapped line only its first row has it, the others are indented. */
export type ShownRow = { n: number; isFirst: boolean; beside: string; text: string }

/** The visible rows, at most as many as fit. Moves to the end first, if the window follows. */
export function rowsIn(paging: Paging, { width, height }: Window): ShownRow[] {
  if (paging.follows) paging.place = endPlace(paging, { width, height })
  const { line, sub } = paging.place
  const rows = wrappedLines(paging, { from: line, many: height + 1, width }).flat()
  return rows.slice(sub, sub + height)
}

type Span = { from: number; many: number; width: number }

/** The rows of each line. */
function wrappedLines({ lines, beside, isProse }: Paging, { from, many, width }: Span): ShownRow[][] {
  const besides = beside(from, many)
  const broken = isProse ? folded : wrapped
  return lines.read(from, many).map((line, at) => {
    const wide = besides[at] ?? ''
    const left = wide.length * 4 > width ? narrowNumbers(wide) : wide
    const cut = line.cut > 0 ? ` … ${formatBytes(line.cut)} more` : ''
    const text = `${line.colour}${withoutTabs(line.text)}${cut}`
    return broken(text, Math.max(1, width - left.length)).map((row, i) => ({
      n: line.n,
      isFirst: i === 0,
      beside: i === 0 ? left : ' '.repeat(left.length),
      text: row,
    }))
  })
}

/** The position at which the last row of the output is the last row of the window. */
function endPlace(paging: Paging, { width, height }: Window): Place {
  const from = Math.max(0, paging.lines.count().lines - height)
  const rows = wrappedLines(paging, { from, many: height, width }).flatMap(own =>
    own.map(({ n }, sub) => ({ line: n, sub })),
  )
  return rows[Math.max(0, rows.length - height)] ?? { line: 0, sub: 0 }
}

/** Moves by a number of rows, down or up. Reaching the end by moving down turns following on. */
export function move(paging: Paging, by: number, window: Window): void {
  const end = endPlace(paging, window)
  const from = paging.follows ? end : paging.place
  const to =
    by > 0
      ? down(paging, from, { by, width: window.width })
      : up(paging, from, { by: -by, width: window.width })
  const isAtEnd = to.line > end.line || (to.line === end.line && to.sub >= end.sub)
  paging.place = isAtEnd ? end : to
  paging.follows = isAtEnd && by > 0
}

type Step = { by: number; width: number }

function down(paging: Paging, { line, sub }: Place, { by, width }: Step): Place {
  let left = by + sub
  for (const [at, rows] of wrappedLines(paging, { from: line, many: by + 1, width }).entries()) {
    if (left < rows.length) return { line: line + at, sub: left }
    left -= rows.length
  }
  return { line: paging.lines.count().lines, sub: 0 }
}

function up(paging: Paging, { line, sub }: Place, { by, width }: Step): Place {
  let left = by - sub
  if (left <= 0) return { line, sub: sub - by }
  const many = Math.min(by, line)
  for (const [at, rows] of wrappedLines(paging, { from: line - many, many, width })
    .toReversed()
    .entries()) {
    if (left <= rows.length) return { line: line - 1 - at, sub: rows.length - left }
    left -= rows.length
  }
  return { line: 0, sub: 0 }
}

export function toLine(paging: Paging, line: number): void {
  paging.place = { line: Math.max(0, line), sub: 0 }
  paging.follows = false
}

export function toEnd(paging: Paging): void {
  paging.follows = true
}

/** One bounded step of a search: the matching line, or where the next step begins (null at the end). */
export function searchStep(
  paging: Paging,
  { text, from, back }: { text: string; from: number; back: boolean },
): Found {
  const found = paging.lines.find({ text, from, back })
  if (found.line !== null) {
    toLine(paging, Math.max(0, found.line - 2))
    paging.search = { text, found: found.line }
  }
  return found
}
