/**
 * The layout of the watch screen: the head, the list beside the window, the row for messages, the row of keys. On a
 * narrow screen the list becomes one row above the window. The frame always has exactly the size of the screen.
 */
import { bothEnds, cutTo, fitTo, textWidth } from '../../layout/width.ts'
import { filledTo, type ScreenFrame, type Size } from '../frame.ts'
import { inCharset, ink, type Look, sign } from '../look.ts'

type Panes = {
  head: string[]
  list: { title: string; rows(width: number): string[]; selected: number; strip(width: number): string }
  tabs: { names: string[]; selected: number; info: string }
  /** The rows of the window. */
  body: string[]
  /** The row above the keys: a message, or a line that is being typed, with its cursor. */
  message: { text: string; cursor: number | null }
  keys: [key: string, word: string][]
}

type Proportions = { list: number; body: { width: number; height: number }; top: number }

const smallest = { columns: 20, rows: 8 }

/** The parts of a screen of this size. `head`: the number of head rows. */
export function shapeOf({ columns, rows }: Size, head: number): Proportions {
  const list = columns >= 150 ? 46 : columns >= 110 ? 36 : columns >= 72 ? 24 : 0
  const strip = list === 0 ? 1 : 0
  // Four rows: a rule, the tabs, the message, the keys.
  const height = Math.max(1, rows - head - 4 - strip)
  const width = Math.max(1, columns - (list === 0 ? 2 : list + 3))
  return { list, body: { width, height }, top: head + 2 + strip }
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
  const shape = shapeOf(size, panes.head.length)
  const { list, body } = shape
  const rule = ink(look, 'dim', sign(look, 'rule').repeat(columns))
  const all = [
    ...panes.head,
    rule,
    ...(list === 0 ? [` ${panes.list.strip(columns - 2)}`] : []),
    tabRow(panes, look, { columns, list }),
    ...bodyRows(panes, look, { list, ...body }),
    ` ${cutTo(panes.message.text, columns - 2)}`,
    keyRow(panes.keys, look, columns),
  ]
  const cursor = panes.message.cursor === null ? null : { row: rows - 2, column: 1 + panes.message.cursor }
  return { rows: filledTo(all, rows).map(row => fittingRow(row, look, columns)), cursor }
}

/** A row that is too wide would leave its last character at the edge, since the screen does not wrap. */
export function fittingRow(row: string, look: Look, columns: number): string {
  return cutTo(inCharset(look, row), columns, look.unicode ? '…' : '>')
}

function tabRow(
  { tabs, list: { title } }: Panes,
  look: Look,
  { columns, list }: { columns: number; list: number },
): string {
  const words = tabs.names.map((name, i) => {
    const word = `${i + 1} ${name}`
    if (i !== tabs.selected) return ` ${word} `
    return look.colour ? ink(look, 'inverse', ` ${word} `) : `[${word}]`
  })
  const left = list === 0 ? '' : `${fitTo(` ${ink(look, 'bold', title)}`, list)} ${bar(look)}`
  const room = columns - textWidth(left) - 1
  const all = words.join('')
  // If not all tabs fit, only the open one is shown.
  const shown = textWidth(all) <= room ? all : (words[tabs.selected] ?? '')
  const info = textWidth(shown) + textWidth(tabs.info) + 2 <= room ? tabs.info : ''
  return `${left}${bothEnds(shown, ink(look, 'dim', info), room)}`
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

/** The last two keys, help and quit, are always shown; of the others as many as fit. */
export function keyRow(keys: [string, string][], look: Look, columns: number): string {
  const cell = ([key, word]: [string, string]) => `${ink(look, 'bold', key)} ${ink(look, 'dim', word)}`
  const last = keys.slice(-2).map(cell)
  const first: string[] = []
  for (const key of keys.slice(0, -2)) {
    const row = ` ${[...first, cell(key), ...last].join('  ')}`
    if (textWidth(row) > columns - 1) break
    first.push(cell(key))
  }
  return cutTo(` ${[...first, ...last].join('  ')}`, columns)
}
