/**
 * The table of `loop status -w`: the columns of `loop status`, as many as fit, with a chart of the failing tests. A
 * loop that needs a person is marked by its status, not by colour alone.
 */
import type { Status } from '../../../core/loop/summary.ts'
import { oneLine } from '../../../core/text/plain-text.ts'
import { formatAge, formatCost, formatDuration } from '../../../model/units.ts'
import { clipStart } from '../../layout/columns.ts'
import { cutTo, fitTo } from '../../layout/width.ts'
import { directoryWords } from '../../text/loop-table.ts'
import { statusWords } from '../../words/message.ts'
import { chart, ink, type Look, sign } from '../look.ts'
import { statusInk } from '../watch/head.ts'

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

export type Standpoint = { here: string | null; home: string | null }

type Column = {
  name: string
  width: number
  cell(row: StatusRow, about: { look: Look; now: number; place: Standpoint }): string
}

const columns: Column[] = [
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
const upToCost = columns.findIndex(({ name }) => name === 'COST')

/** The head and one line for each row, exactly `width` columns wide. */
export function statusTable(
  rows: readonly StatusRow[],
  { look, now, place, width }: { look: Look; now: number; place: Standpoint; width: number },
): { head: string; lines: string[] } {
  const shown: Column[] = []
  let room = width - 2
  for (const column of columns) {
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
export function selectedLine(line: string, isSelected: boolean, look: Look): string {
  return isSelected ? ink(look, 'bold', `${sign(look, 'cursor')} ${line}`) : `  ${line}`
}
