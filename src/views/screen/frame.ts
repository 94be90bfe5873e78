/**
 * A frame: all rows of a screen, and the position of the cursor; the question of a dialog takes the place of the window's
 * rows. Frames are made by pure functions, so that screens can be tested without a terminal; src/tui draws them. A row
 * holds text and colour, nothing else.
 */
import { isNotApplied } from '../../core/attention.ts'
import { oneLine } from '../../core/text/plain-text.ts'
import { folded } from '../layout/columns.ts'
import { cutTo, textWidth } from '../layout/width.ts'
import type { Shown } from '../text/status.ts'
import { waysOn } from '../words/message.ts'
import { ink, type Look } from './look.ts'

/** `cursor`: where a person types in the first row; null if nobody does. */
export type Foot = { rows: string[]; cursor: number | null }

type Keys = [key: string, word: string][]

/** Longer messages are cut: the window has to stay. */
const mostOfMessage = 4

type FootFacts = { asked: ScreenQuestion | null; message: string; keys: Keys }

export function footOf({ asked, message, keys }: FootFacts, look: Look, { columns }: Size): Foot {
  const keyRows = asked ? allKeys(asked.keys, look, columns) : [keyRow(keys, look, columns)]
  const { text, cursor } = asked?.message ?? { text: message, cursor: null }
  if (cursor !== null) return { rows: [` ${cutTo(text, columns - 2)}`, ...keyRows], cursor: 1 + cursor }
  const said = fewRows(text, columns - 2).map(row => (asked ? ink(look, 'yellow', row) : row))
  return { rows: [...said.map(row => ` ${row}`), ...keyRows], cursor: null }
}

function fewRows(text: string, width: number): string[] {
  const rows = folded(text, width)
  if (rows.length <= mostOfMessage) return rows
  return [...rows.slice(0, mostOfMessage - 1), cutTo(rows.slice(mostOfMessage - 1).join(' '), width)]
}

function cell(look: Look, [key, word]: Keys[number]): string {
  return `${ink(look, 'bold', key)} ${ink(look, 'dim', word)}`
}

/** Every key, in as many rows as they need: an answer that is not shown cannot be given. */
function allKeys(keys: Keys, look: Look, columns: number): string[] {
  const rows: string[] = []
  for (const key of keys) {
    const last = rows.at(-1)
    const longer = `${last}  ${cell(look, key)}`
    if (last !== undefined && textWidth(longer) <= columns - 1) rows[rows.length - 1] = longer
    else rows.push(` ${cell(look, key)}`)
  }
  return rows
}

/** The last two keys, help and quit, are always shown; of the others as many as fit. */
function keyRow(keys: Keys, look: Look, columns: number): string {
  const last = keys.slice(-2).map(key => cell(look, key))
  const first: string[] = []
  for (const key of keys.slice(0, -2)) {
    const row = ` ${[...first, cell(look, key), ...last].join('  ')}`
    if (textWidth(row) > columns - 1) break
    first.push(cell(look, key))
  }
  return cutTo(` ${[...first, ...last].join('  ')}`, columns)
}

export type ScreenFrame = { rows: string[]; cursor: { row: number; column: number } | null }

export type Size = { columns: number; rows: number }

/** The rows that differ from the previous frame; all rows if there is none or its height was another. */
export function changedRows(before: ScreenFrame | null, frame: ScreenFrame): { row: number; text: string }[] {
  const isNew = before?.rows.length !== frame.rows.length
  return frame.rows.flatMap((text, row) => (isNew || before?.rows[row] !== text ? { row, text } : []))
}

/** Exactly `height` rows: missing ones are empty, surplus ones are dropped. */
export function filledTo(rows: readonly string[], height: number): string[] {
  return Array.from({ length: Math.max(0, height) }, (_, i) => rows[i] ?? '')
}

/** At most two rows; none while it works, or once it has completed. */
export function nextRow(shown: Shown, look: Look, width: number): string[] {
  const isStill =
    isNotApplied(shown.summary) || ['paused', 'failed', 'crashed'].includes(shown.summary.status)
  const steps = isStill ? waysOn(shown) : []
  if (steps.length === 0) return []
  const [first = '', ...rest] = folded(oneLine(`next: ${steps.join(' | ')}`), width)
  const rows = rest.length === 0 ? [first] : [first, cutTo(rest.join(' '), width)]
  return rows.map(row => ink(look, 'dim', row))
}

export type ScreenQuestion = {
  /** The rows that explain the question. Without any, the window keeps its own text. */
  rows: string[]
  /** How far they are scrolled: rows, and whole pages of the window. */
  top: number
  pages: number
  message: { text: string; cursor: number | null }
  keys: [string, string][]
}

/** The rows of the question for the window; null if the window keeps its own text. */
export function askedRows(
  asked: ScreenQuestion | null,
  look: Look,
  { width, height }: { width: number; height: number },
): string[] | null {
  if (!asked || asked.rows.length === 0) return null
  const rows = asked.rows.flatMap(row => folded(row, width))
  if (rows.length <= height) return rows
  const page = Math.max(1, height - 1)
  const from = Math.max(0, Math.min(asked.top + asked.pages * page, rows.length - page))
  if (height === 1) return rows.slice(from, from + 1)
  const left = rows.length - from - height + 1
  const more = left > 0 ? `${left} more rows: pgdn` : 'the end: pgup'
  return [...rows.slice(from, from + height - 1), ink(look, 'dim', `-- ${more} --`)]
}
