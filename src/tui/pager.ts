/**
 * A window on lines of any number: where it stands, how it moves, what it finds. Lines that are wider than the window are
 * wrapped, and it moves by rows, so that every part of a long line can be reached. While it follows, its end is the end
 * of the lines. Holds no text but the rows that are shown.
 */
import type { Found, OutputLines, ShownLine } from '../engine/feed/lines.ts'
import { formatBytes } from '../model/units.ts'
import { folded, wrapped } from '../views/layout/columns.ts'
import { withoutTabs } from '../views/layout/width.ts'

/** The first row: a line, and how many rows of it are above the window. */
type Place = { line: number; sub: number }

export type Paging = {
  lines: OutputLines
  /** Text for reading: its lines are broken between words. */
  isProse: boolean
  place: Place
  follows: boolean
  /** The text that is looked for, and the line it was found in last. */
  search: { text: string; found: number | null } | null
}

export type Window = { width: number; height: number }

type PagingWish = { follows: boolean; isProse?: boolean }

export function pagingOf(lines: OutputLines, { follows, isProse = false }: PagingWish): Paging {
  return { lines, isProse, place: { line: 0, sub: 0 }, follows, search: null }
}

export type ShownRow = { n: number; isFirst: boolean; text: string }

/** The rows of the window, at most as many as fit into it. Brings the place up to date where it follows. */
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

/** The place from which the last row of all is the last one of the window. */
function endPlace({ lines, isProse }: Paging, { width, height }: Window): Place {
  const { lines: all } = lines.count()
  const from = Math.max(0, all - height)
  const rows = lines.read(from, height).flatMap(line => {
    const own = wrappedRows(line, { width, isProse })
    return own.map((_, sub) => ({ line: line.n, sub }))
  })
  return rows[Math.max(0, rows.length - height)] ?? { line: 0, sub: 0 }
}

/** By so many rows, down or up; to follow begins where the end is reached. */
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

/** Looks on in one bounded step; null once it has found it, or come to the end. */
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
