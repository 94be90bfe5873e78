/**
 * The table of loops. The first six columns come in this order, and are all there in a terminal of sixty columns; the
 * others follow if it is wide enough, and the last one, the prompt, takes the remaining room.
 */
import type { Brief } from '../../core/loop/summary.ts'
import { clip, oneLine } from '../../core/text/plain-text.ts'
import { formatAge, formatCost, formatDuration } from '../../model/units.ts'
import { align, clipStart } from '../layout/columns.ts'
import { cutTo } from '../layout/width.ts'
import { statusWords } from '../words/message.ts'
import { type Shown, timesOf } from './status.ts'

/** The reader's place: `width` is the terminal's, null if the table does not go to a terminal. */
export type Place = { here: string | null; home: string | null; width: number | null }

const nowhere: Place = { here: null, home: null, width: null }

const first = ['LOOP-ID', 'STATUS', 'ITER', 'PROMISE', 'AGENT', 'ELAPSED']
/** What a loop is called, and how it stands. */
const fewestColumns = 3
const widestPrompt = 60
const narrowestPrompt = 16

type View = { now: number; place: Place }

/** A line of the table. `mark`: for a member below its group `of`. */
type Line = Shown<Brief> & { mark?: string; node?: string | null; of?: Brief }

const later: Record<string, (line: Line, view: View) => string> = {
  COST: ({ summary }) => (summary.costUsd === null ? '–' : formatCost(summary.costUsd, summary)),
  DIRECTORY: ({ summary, of }, { place }) => {
    if (of) return of.cwd === summary.cwd ? '' : 'copy'
    return clipStart(oneLine(directoryWords(summary.cwd, place)), sizes(place).directory)
  },
  AGE: ({ summary }, { now }) => formatAge(now - summary.createdAt),
}

export function table(rowsShown: Shown<Brief>[], now: number, place: Place = nowhere): string[] {
  const shown = rowsShown.flatMap(linesOf)
  const rows = [[...first], ...shown.map(one => firstCells(one, now, place))]
  const { gap } = sizes(place)
  const width = place.width ?? Number.POSITIVE_INFINITY
  if (widthOf(rows, gap) > width) return align(fitting(rows, gap, width), gap)
  let room = width - widthOf(rows, gap)
  const add = (cells: string[]) => {
    for (const [i, row] of rows.entries()) row.push(cells[i] ?? '')
    room -= gap + widest(cells)
  }
  for (const [name, cell] of Object.entries(later)) {
    const cells = [name, ...shown.map(one => cell(one, { now, place }))]
    if (room < gap + widest(cells)) return align(rows, gap)
    add(cells)
  }
  const left = Math.min(widestPrompt, room - gap)
  if (left < narrowestPrompt) return align(rows, gap)
  add(['PROMPT', ...shown.map(line => cutTo(oneLine(aboutWords(line)).trim(), left))])
  return align(rows, gap)
}

/** Without the last columns, where even the first six have no room. */
function fitting(rows: string[][], gap: number, width: number): string[][] {
  let shown = rows
  while (widthOf(shown, gap) > width && (shown[0]?.length ?? 0) > fewestColumns)
    shown = shown.map(row => row.slice(0, -1))
  return shown
}

/** The members of a group are listed below it. */
function linesOf(row: Shown<Brief>): Line[] {
  const { members = [], summary: of } = row
  return [row, ...members.map((one, i) => ({ ...one, mark: i < members.length - 1 ? '├ ' : '└ ', of }))]
}

/** Members share their group's prompt, so their role is shown instead. */
function aboutWords({ node, summary }: Line): string {
  return node ?? summary.prompt
}

function firstCells({ summary, orphaned, notApplied, mark = '' }: Line, now: number, place: Place): string[] {
  return [
    `${mark}${summary.id}`,
    `${statusWords({ summary, orphaned })}${notApplied ? ', not applied' : ''}`,
    `${summary.iteration}/${summary.maxIterations ?? '∞'}`,
    clip(oneLine(summary.promise), sizes(place).promise),
    summary.agent,
    formatDuration(timesOf({ summary, orphaned }, now).elapsedMs),
  ]
}

function widthOf(rows: string[][], gap: number): number {
  return (rows[0] ?? []).reduce((sum, _, i) => sum + gap + widest(rows.map(row => row[i] ?? '')), -gap)
}

function widest(cells: string[]): number {
  return cells.reduce((most, { length }) => Math.max(most, length), 0)
}

/** In eighty columns the directory is more useful than the end of a promise. */
function sizes({ width }: Place): { gap: number; promise: number; directory: number } {
  if (width !== null && width < 100) return { gap: 2, promise: 14, directory: 14 }
  return width !== null && width < 140
    ? { gap: 3, promise: 20, directory: 20 }
    : { gap: 3, promise: 30, directory: 30 }
}

/** A directory as somebody in `here` would write it: `.`, `./web`, `~/shop`, `/srv/shop`. */
export function directoryWords(path: string, { here, home }: Pick<Place, 'here' | 'home'>): string {
  if (path === here) return '.'
  if (here !== null && here !== '/' && path.startsWith(`${here}/`)) return `./${path.slice(here.length + 1)}`
  if (home === null || home === '/') return path
  if (path === home) return '~'
  return path.startsWith(`${home}/`) ? `~/${path.slice(home.length + 1)}` : path
}
