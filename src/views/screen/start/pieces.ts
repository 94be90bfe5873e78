/**
 * The pieces of the lines that `loop start` shows on a terminal: rows in columns, names that fit, commands side by side,
 * numbers that a person can feel. A row is cut in its middle and never wraps; the words around it know no width.
 */

import { oneLine, spelledOut } from '../../../core/text/plain-text.ts'
import type { Changes } from '../../../model/loop/event.ts'
import { dayOf, formatMoment } from '../../../model/moment.ts'
import { type CostKnown, formatCost } from '../../../model/units.ts'
import { folded, hung } from '../../layout/columns.ts'
import { bothEnds, cutTo, textWidth } from '../../layout/width.ts'
import { type Ink, ink, type Look, sign } from '../look.ts'

/** How and how wide it is drawn. */
export type StartView = { look: Look; width: number }

/** `2m 41s` stands right of the number of its iteration, and what belongs to an iteration stands below its verdict. */
const leftColumns = 9
export const indent = ' '.repeat(leftColumns + 4)
const verdictColumns = 14
/** On a wide terminal the eye should not lose its row between two columns. */
const mostColumns = 100

/** `<1s`, `3s`, `1m 02s`, `1h 04m`, `2d 03h` */
export function felt(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (ms < 950) return '<1s'
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours}h ${two(minutes % 60)}m` : `${Math.floor(hours / 24)}d ${two(hours % 24)}h`
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}

/** `11:00`, on another day with it. */
export function clock(at: number, now: number): string {
  const [day = '', time = ''] = formatMoment(at).split(' ')
  return day === dayOf(now) ? time : `${day} ${time}`
}

/** `in 48s (11:00)` */
export function inTime(at: number, now: number): string {
  return at > now ? `in ${felt(at - now)} (${clock(at, now)})` : 'now'
}

/** Empty while nothing is known of it. */
export function money(usd: number | null, known: CostKnown): string {
  return usd === null ? '' : formatCost(usd, known, '≥')
}

/** `cart.js +3 −1`, `3 files +12 −4`, `no changes` */
export function changesWords({ added, removed, files }: Changes, paths: readonly string[]): string {
  if (files === 0) return 'no changes'
  const [path = ''] = paths
  const what = files === 1 && path !== '' ? spelledOut(path) : `${files} files`
  // A binary file, or one that is empty, has no lines.
  const lines = added + removed === 0 ? ' changed' : ` +${added} −${removed}`
  return files === 1 && path === '' ? `1 file${lines}` : what + lines
}

export type StartRow = {
  /** The number of an iteration, or a word, and how long it took. */
  left: string
  right?: string
  /** A mark, how it is coloured, and the result. */
  verdict?: { mark: Mark; words: string } | undefined
  middle?: string
  cost?: string
}

const inks = {
  pass: 'green',
  fail: 'red',
  error: 'yellow',
  warn: 'yellow',
  wait: 'dim',
  none: 'dim',
} as const
export type Mark = keyof typeof inks

export function marked({ look }: Pick<StartView, 'look'>, mark: Mark, words: string): string {
  return ink(look, inks[mark], `${sign(look, mark)} ${words}`)
}

export function startRow(
  { left, right = '', verdict, middle = '', cost = '' }: StartRow,
  view: StartView,
): string {
  const { look } = view
  const begin = right === '' ? left.padEnd(leftColumns) : beside(left, right)
  const said = verdict ? marked(view, verdict.mark, verdict.words) : ''
  const column = `  ${begin}  ${middle === '' ? said : padded(said, verdictColumns)}`
  const width = Math.min(view.width, mostColumns)
  const room = width - textWidth(column) - (cost === '' ? 0 : textWidth(cost) + 2)
  const line = column + cutTo(middle, room)
  return cost === '' ? line : bothEnds(line, ink(look, 'dim', cost), width)
}

type MemberRow = {
  name: string
  mark: Mark
  words: string
  time?: string
  middle?: string
  cost?: string
}

/** `✓ 1-direct  2s  all 6 tests pass  cart.js +8 −3  $0.01`: a loop of a group that is over. */
export function memberRow(row: MemberRow, names: number, view: StartView): string {
  const { name, mark, words, time = '', middle = '', cost = '' } = row
  const begin = `  ${marked(view, mark, padded(name, names + 2))}${time.padStart(7)}  `
  const room = Math.min(view.width, mostColumns) - (cost === '' ? 0 : textWidth(cost) + 2)
  const line = cutTo(
    begin + (middle === '' ? words : padded(words, 20) + ink(view.look, 'dim', middle)),
    room,
  )
  return cost === '' ? line : bothEnds(line, ink(view.look, 'dim', cost), Math.min(view.width, mostColumns))
}

/** At most two rows below what they are about: what is longer is in the log. */
export function noteRows(words: string, left: string, { look, width }: StartView): string[] {
  const room = Math.max(20, width - left.length)
  const [first = '', ...rest] = folded(oneLine(words), room)
  const rows = rest.length > 0 ? [first, cutTo(rest.join(' '), room)] : [first]
  return rows.map(line => left + ink(look, 'yellow', line))
}

function beside(left: string, right: string): string {
  const room = Math.max(1, leftColumns - left.length - right.length)
  return left + ' '.repeat(room) + right
}

/** At least two columns before what follows. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(2, width - textWidth(text)))
}

/** A row that moves: what goes on, and at its right what can be pressed. */
export function movingRow(left: string, hint: string, { look, width }: StartView): string {
  const shown = textWidth(hint) + 24 > width ? '' : hint
  return bothEnds(cutTo(left, width), ink(look, 'dim', shown), Math.min(width, mostColumns + 10)).trimEnd()
}

/** As many names as fit, and how many there are besides. */
export function fitNames(
  names: readonly string[],
  width: number,
  { rest = 'more', of = names.length }: { rest?: string; of?: number } = {},
): string {
  const all = names.map(name => oneLine(spelledOut(name)))
  for (let many = all.length; many > 0; many -= 1) {
    const left = of - many
    const words = [...all.slice(0, many), ...(left > 0 ? [`${left} ${rest}`] : [])].join(' · ')
    if (textWidth(words) <= width) return words
  }
  const [first = ''] = all
  const more = of > 1 ? ` · ${of - 1} ${rest}` : ''
  return cutTo(cutTo(first, Math.max(8, width - textWidth(more))) + more, width)
}

/** Something to type, with a word that says what for. */
export type NextStep = readonly [label: string, command: string]

/** All steps in one row if they fit, else a row for each group, or more; a step is one line that can be copied. */
export function stepLines(groups: readonly (readonly NextStep[])[], { look, width }: StartView): string[] {
  const all = groups.flat()
  const fits =
    all.reduce((sum, one) => sum + stepWidth(one) + between.length, 0) - between.length + 2 <= width
  const rows = fits ? [all] : groups.flatMap(group => rowsOf(group, width))
  const labels = Math.max(0, ...rows.map(([first]) => first?.[0].length ?? 0))
  return rows
    .filter(row => row.length > 0)
    .map(row => {
      const words = row.map(([label, command], i) => {
        const name = i === 0 ? label.padEnd(labels) : label
        return `${ink(look, 'dim', name)}  ${command}`
      })
      return `  ${words.join(between)}`
    })
}

/** A label that is padded for those below it takes a few columns more. */
const mostPadding = 8

function rowsOf(group: readonly NextStep[], width: number): NextStep[][] {
  const rows: NextStep[][] = []
  for (const step of group) {
    const last = rows.at(-1)
    const before = last?.reduce((sum, one) => sum + stepWidth(one) + between.length, mostPadding) ?? 0
    if (last && before + stepWidth(step) <= width) last.push(step)
    else rows.push([step])
  }
  return rows
}

const between = ' '.repeat(8)

function stepWidth([label, command]: NextStep): number {
  return textWidth(label) + 2 + textWidth(command)
}

/** Lines of a sentenceRows, below each other where it is longer than the terminal is wide. */
export function sentenceRows(text: string, name: Ink | null, { look, width }: StartView): string[] {
  const rows = hung(text, width)
  return name === null ? rows : rows.map(row => ink(look, name, row))
}
