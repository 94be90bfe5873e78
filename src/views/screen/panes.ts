/**
 * The layout of the watch screen: the head, the list beside the window, the foot. On a narrow screen the list becomes
 * one row above the window; a low one shows less of the head. The frame always has exactly the size of the screen.
 */
import { bothEnds, cutTo, fitTo, textWidth } from '../layout/width.ts'
import type { Foot } from './frame.ts'
import { filledTo, type ScreenFrame, type Size } from './frame.ts'
import { inCharset, ink, type Look, sign } from './look.ts'

type Panes = {
  head: string[]
  list: { title: string; rows(width: number): string[]; selected: number; strip(width: number): string }
  tabs: { names: string[]; selected: number; info: string }
  /** The rows of the window. */
  body: string[]
  foot: Foot
}

type Proportions = { list: number; body: { width: number; height: number }; top: number }

const smallest = { columns: 20, rows: 8 }

/** The parts of a screen of this size. `head`, `foot`: their number of rows. */
export function shapeOf(
  { columns, rows }: Size,
  { head, foot }: { head: number; foot: number },
): Proportions {
  const list = columns >= 150 ? 46 : columns >= 110 ? 36 : columns >= 72 ? 24 : 0
  const strip = list === 0 ? 1 : 0
  // Two rows: a rule, the tabs.
  const height = Math.max(1, rows - head - foot - 2 - strip)
  const width = Math.max(1, columns - (list === 0 ? 2 : list + 3))
  return { list, body: { width, height }, top: head + 2 + strip }
}

const lowRows = 20
/** The first rows of a head are how it stands, the work, who does it, and the cost. */
const [work, who, cost] = [1, 2, 3]

/** The part of the head for which the screen has room: a low one keeps how it stands, why, and what to type. */
export function headIn(head: string[], { rows }: Size, isAsked: boolean): string[] {
  // Seven rows: a rule, the list, the tabs, two of the window, the message, the keys.
  const most = rows >= lowRows ? head.length : isAsked ? 1 : Math.max(1, Math.min(5, rows - 7))
  const dropped = [who, work, cost].slice(0, Math.max(0, head.length - most))
  return head.filter((_, i) => !dropped.includes(i)).slice(0, most)
}

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < smallest.columns || rows < smallest.rows
}

/** A frame for a terminal in which nothing fits. */
export function tooSmallFrame({ columns, rows }: Size): ScreenFrame {
  const text = cutTo('too small: q quits', Math.max(1, columns))
  return { rows: filledTo([text], rows), cursor: null }
}

export function panesFrame(panes: Panes, look: Look, size: Size): ScreenFrame {
  const { columns, rows } = size
  const { head, foot } = panes
  const { list, body } = shapeOf(size, { head: head.length, foot: foot.rows.length })
  const rule = ink(look, 'dim', sign(look, 'rule').repeat(columns))
  const tabs = tabRow(panes, look, { columns, list })
  const above = [
    ...head,
    rule,
    ...(list === 0 ? [` ${panes.list.strip(columns - 2)}`] : []),
    tabs.row,
    ...bodyRows(panes, look, { list, ...body }),
  ]
  // What has no room beside the tabs stands where messages are, while there is none.
  const [first = '', ...keys] = foot.rows
  const below =
    first.trim() === '' ? [bothEnds('', ink(look, 'dim', tabs.left), columns - 1), ...keys] : foot.rows
  const all = [...filledTo(above, rows - below.length), ...below]
  const cursor = foot.cursor === null ? null : { row: rows - below.length, column: foot.cursor }
  return { rows: filledTo(all, rows).map(row => fittingRow(row, look, columns)), cursor }
}

/** A row that is too wide would leave its last character at the edge, since the screen does not wrap. */
export function fittingRow(row: string, look: Look, columns: number): string {
  return cutTo(inCharset(look, row), columns, look.unicode ? '…' : '>')
}

/** `left`: the info about the window, if there is no room for it beside the tabs. */
function tabRow(
  { tabs, list: { title } }: Panes,
  look: Look,
  { columns, list }: { columns: number; list: number },
): { row: string; left: string } {
  const words = tabs.names.map((name, i) => {
    const word = `${i + 1} ${name}`
    if (i !== tabs.selected) return ` ${word} `
    return look.colour ? ink(look, 'inverse', ` ${word} `) : `[${word}]`
  })
  const before = list === 0 ? '' : `${fitTo(` ${ink(look, 'bold', title)}`, list)} ${bar(look)}`
  const room = columns - textWidth(before) - 1
  const all = words.join('')
  // If not all tabs fit, only the open one is shown.
  const shown = textWidth(all) <= room ? all : (words[tabs.selected] ?? '')
  const fits = textWidth(shown) + textWidth(tabs.info) + 2 <= room
  const beside = bothEnds(shown, ink(look, 'dim', fits ? tabs.info : ''), room)
  return { row: `${before}${beside}`, left: fits ? '' : tabs.info }
}

function bar(look: Look): string {
  return ink(look, 'dim', sign(look, 'bar'))
}

type Room = { list: number; width: number; height: number }

function bodyRows({ list, body }: Panes, look: Look, { list: width, height, width: room }: Room): string[] {
  const rows = filledTo(body, height)
  if (width === 0) return rows.map(row => ` ${row}`)
  const beside = windowOf(list.rows(width - 1), list.selected, height)
  return rows.map((row, i) => `${fitTo(beside[i] ?? '', width)} ${bar(look)} ${cutTo(row, room)}`)
}

/** The part of the list around the selected row. */
function windowOf(rows: string[], selected: number, height: number): string[] {
  const from = Math.max(0, Math.min(selected - Math.floor(height / 2), rows.length - height))
  return rows.slice(from, from + height)
}
