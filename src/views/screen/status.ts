/**
 * The screen of `loop status -w`: how many loops need a person, the keys for the selected loop, and the table with the
 * columns of `loop status`, as many as fit. A loop that needs a person is marked by its status, not by colour alone.
 */
import type { Status } from '../../core/loop/summary.ts'
import { oneLine } from '../../core/text/plain-text.ts'
import { formatAge, formatCost, formatDuration } from '../../model/units.ts'
import { clipStart } from '../layout/columns.ts'
import { bothEnds, cutTo, fitTo } from '../layout/width.ts'
import { directoryWords } from '../text/loop-table.ts'
import { statusWords } from '../words/message.ts'
import { askedRows, filledTo, footOf, type ScreenFrame, type ScreenQuestion, type Size } from './frame.ts'
import { statusInk } from './head.ts'
import { chart, ink, type Look, sign } from './look.ts'
import { fittingRow, isTooSmall, tooSmallFrame } from './panes.ts'

/** `depth`: 1 for a member below its group. */
export type StatusRow = {
  id: string
  status: Status
  attention: string | null
  iteration: number
  maxIterations: number | null
  promise: string
  agent: string
  elapsedMs: number
  costUsd: number | null
  costEstimated: boolean
  costIncomplete?: boolean | undefined
  cwd: string
  prompt: string
  question: string | null
  createdAt: number
  failing: readonly (number | null)[]
  depth: number
  node: string | null
}

type Standpoint = { here: string | null; home: string | null }

type Column = {
  name: string
  width: number
  cell(row: StatusRow, about: { look: Look; now: number; place: Standpoint }): string
}

const tableColumns: Column[] = [
  { name: 'LOOP-ID', width: 9, cell: row => `${row.depth > 0 ? '  ' : ''}${row.id}` },
  {
    name: 'STATUS',
    width: 11,
    cell: (row, { look }) => ink(look, row.attention ? 'yellow' : statusInk(row.status), statusWord(row)),
  },
  { name: 'ITER', width: 6, cell: row => `${row.iteration}/${row.maxIterations ?? '∞'}` },
  { name: 'PROMISE', width: 16, cell: row => oneLine(row.promise) },
  { name: 'AGENT', width: 9, cell: row => row.agent },
  { name: 'ELAPSED', width: 8, cell: row => formatDuration(row.elapsedMs) },
  { name: 'COST', width: 8, cell: costCell },
  { name: 'FAILING', width: 13, cell: (row, { look }) => failingCell(row, look) },
  { name: 'AGE', width: 4, cell: (row, { now }) => formatAge(now - row.createdAt) },
  {
    name: 'DIRECTORY',
    width: 20,
    cell: ({ cwd }, { place }) => clipStart(oneLine(directoryWords(cwd, place)), 20),
  },
]

function costCell(row: StatusRow): string {
  return row.costUsd === null ? '–' : formatCost(row.costUsd, row, '≥')
}

function statusWord({ status, attention }: StatusRow): string {
  if (attention === 'question') return 'asks you'
  if (attention === 'orphaned') return statusWords({ summary: { status }, orphaned: true })
  if (attention === 'not-applied') return 'not applied'
  return attention === 'suspect' ? 'look at it' : status
}

function failingCell({ failing }: StatusRow, look: Look): string {
  const known = failing.flatMap(value => value ?? [])
  const last = known.at(-1)
  return last === undefined ? '' : `${chart(look, known, 8)} ${last}`
}

const narrowestPrompt = 14
const upToCost = tableColumns.findIndex(({ name }) => name === 'COST')

/** The head and one line for each row, exactly `width` columns wide. */
export function statusTable(
  rows: readonly StatusRow[],
  { look, now, place, width }: { look: Look; now: number; place: Standpoint; width: number },
): { head: string; lines: string[] } {
  const shown: Column[] = []
  let room = width - 2
  for (const column of tableColumns) {
    // The columns after the cost give way to the prompt, which says more.
    const least = shown.length <= upToCost ? 0 : narrowestPrompt
    if (room - column.width - 1 < least) break
    shown.push(column)
    room -= column.width + 1
  }
  const prompt = room >= narrowestPrompt ? room : 0
  const line = (cells: string[], last: string) =>
    cutTo(
      [...shown.map(({ width: wide }, i) => fitTo(cells[i] ?? '', wide)), fitTo(last, prompt)].join(' '),
      width - 2,
    )
  return {
    head: `  ${ink(
      look,
      'dim',
      line(
        shown.map(({ name }) => name),
        prompt > 0 ? 'PROMPT' : '',
      ),
    )}`,
    lines: rows.map(row =>
      line(
        shown.map(({ cell }) => cell(row, { look, now, place })),
        oneLine(row.node ?? row.prompt),
      ),
    ),
  }
}

/** The line with a mark before it if it is selected. */
function selectedLine(line: string, isSelected: boolean, look: Look): string {
  return isSelected ? ink(look, 'bold', `${sign(look, 'cursor')} ${line}`) : `  ${line}`
}

type StatusScene = {
  look: Look
  now: number
  place: Standpoint
  rows: readonly StatusRow[]
  /** The index of the selected row. */
  selected: number
  counts: Record<string, number>
  sort: string
  filter: string
  stale: string | null
  asked: ScreenQuestion | null
  message: string
}

export const statusHelp = [
  'Move',
  '  up down j k    a loop; pgup pgdn a page; home end',
  '  enter          watch it; esc comes back',
  '  /              only loops with these words; / again: all',
  '  S              sort by what needs you, age, cost, iteration, time',
  'Steer the loop that is selected',
  '  p r            pause after this iteration; resume',
  '  i a            tell its agent something; answer what it asks',
  '  x              cancel, after a question',
  '  q              quit; everything goes on',
]

type Keys = [key: string, word: string][]

/** The keys that can do something about the selected loop come first. */
function keyWords(row: StatusRow | undefined): Keys {
  return [
    ...((row ? [['enter', 'watch'], ...steerWords(row)] : []) as Keys),
    ['/', 'filter'],
    ['S', 'sort'],
    ['?', 'help'],
    ['q', 'quit'],
  ]
}

function steerWords({ status, question }: StatusRow): Keys {
  const answer: Keys = question === null ? [] : [['a', 'answer']]
  if (status === 'completed') return answer
  if (!['queued', 'running', 'waiting'].includes(status)) return [...answer, ['r', 'resume']]
  return [...answer, ['p', 'pause'], ['i', 'inject'], ['x', 'cancel']]
}

export function statusFrame(scene: StatusScene, size: Size): ScreenFrame {
  if (isTooSmall(size)) return tooSmallFrame(size)
  const { look, asked, now, place } = scene
  const { columns, rows: height } = size
  const table = statusTable(scene.rows, { look, now, place, width: columns })
  const foot = footOf(
    { asked, message: scene.message, keys: keyWords(scene.rows[scene.selected]) },
    look,
    size,
  )
  const room = height - 3 - foot.rows.length
  const from = Math.max(0, Math.min(scene.selected - Math.floor(room / 2), table.lines.length - room))
  const lines = table.lines.slice(from, from + room)
  const none =
    scene.filter === '' ? 'No loops. Start one with: loop start "…" -p "…"' : 'No loop has these words.'
  const instead = askedRows(asked, look, { width: columns - 2, height: room })
  const body =
    instead?.map(row => ` ${row}`) ??
    (lines.length === 0
      ? [` ${none}`]
      : lines.map((line, i) => selectedLine(line, from + i === scene.selected, look)))
  const rows = [
    ` ${headOf(scene, columns - 2)}`,
    ink(look, 'dim', sign(look, 'rule').repeat(columns)),
    cutTo(table.head, columns),
    ...filledTo(body, room),
    ...foot.rows,
  ]
  const cursor = foot.cursor === null ? null : { row: height - foot.rows.length, column: foot.cursor }
  return { rows: filledTo(rows, height).map(row => fittingRow(row, look, columns)), cursor }
}

function headOf({ look, counts, sort, filter, stale, rows }: StatusScene, width: number): string {
  const words: [string, string][] = [
    ['attention', 'need you'],
    ['running', 'running'],
    ['queued', 'queued'],
    ['paused', 'paused'],
    ['done', 'done'],
  ]
  const parts = words.flatMap(([name, word]) => (counts[name] ? [`${counts[name]} ${word}`] : []))
  const total = parts.length === 0 ? 'nothing yet' : parts.join(` ${sign(look, 'dot')} `)
  const left = `${ink(look, 'title', 'loops')}  ${stale === null ? total : ink(look, 'red', stale)}`
  const only = filter === '' ? '' : `${rows.length} with "${filter}", `
  return bothEnds(left, ink(look, 'dim', `${only}by ${sort}`), width)
}
