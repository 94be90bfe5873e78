/**
 * A window on any number of lines: its position, its movement, its search. Lines that are wider than the window are
 * wrapped, and the window moves by rows, so every part of a long line can be reached. While the window follows, it
 * stays at the end of the lines. The only text in memory is that of the visible rows.
 */
import type { Found, OutputLines, ShownLine } from '../engine/feed/lines.ts'
import { formatBytes } from '../model/units.ts'
import { folded, wrapped } from '../views/layout/columns.ts'
import { withoutTabs } from '../views/layout/width.ts'

/** The first visible row: its line, and how many rows of that line are above the window. */
type Place = { line: number; sub: number }

export type Paging = {
  lines: OutputLines
  /** Text for reading: its lines are broken between words. */
  isProse: boolean
  place: Place
  follows: boolean
  /** The text that is searched for, and the line of the latest match. */
  search: { text: string; found: number | null } | null
}

export type Window = { width: number; height: number }

type PagingWish = { follows: boolean; isProse?: boolean }

export function pagingOf(lines: OutputLines, { follows, isProse = false }: PagingWish): Paging {
  return { lines, isProse, place: { line: 0, sub: 0 }, follows, search: null }
}

export type ShownRow = { n: number; isFirst: boolean; text: string }

/** The visible rows, at most as many as fit. Moves to the end first, if the window follows. */
export function rowsIn(paging: Paging, { width, height }: Window): ShownRow[] {
  const { lines, isProse } = paging
  if (paging.follows) paging.place = endPlace(paging, { width, height })
  const { line, sub } = paging.place
  const rows = lines.read(line, height + 1).flatMap(one => wrappedRows(one, { width, isProse }))
  return rows.slice(sub, sub + height)
}

type Breaking = { width: number; isProse: boolean }

function wrappedRows(line: ShownLine, { width, isProse }: Breaking): ShownRow[] {
  const cut = line.cut > 0 ? ` … ${formatBytes(line.cut)} more` : ''
  const text = `${line.colour}${withoutTabs(line.text)}${cut}`
  const broken = isProse ? folded : wrapped
  return broken(text, Math.max(1, width)).map((row, i) => ({ n: line.n, isFirst: i === 0, text: row }))
}

/** The position at which the last row of the output is the last row of the window. */
function endPlace({ lines, isProse }: Paging, { width, height }: Window): Place {
  const { lines: all } = lines.count()
  const from = Math.max(0, all - height)
  const rows = lines.read(from, height).flatMap(line => {
    const own = wrappedRows(line, { width, isProse })
    return own.map((_, sub) => ({ line: line.n, sub }))
  })
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

function down({ lines, isProse }: Paging, { line, sub }: Place, { by, width }: Step): Place {
  let left = by + sub
  for (const one of lines.read(line, by + 1)) {
    const rows = wrappedRows(one, { width, isProse }).length
    if (left < rows) return { line: one.n, sub: left }
    left -= rows
  }
  return { line: lines.count().lines, sub: 0 }
}

function up({ lines, isProse }: Paging, { line, sub }: Place, { by, width }: Step): Place {
  let left = by - sub
  if (left <= 0) return { line, sub: sub - by }
  for (const one of lines.read(Math.max(0, line - by), Math.min(by, line)).toReversed()) {
    const rows = wrappedRows(one, { width, isProse }).length
    if (left <= rows) return { line: one.n, sub: rows - left }
    left -= rows
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
