/** The screen of `loop status -w`: how many loops need a person, the table, and the keys for the selected loop. */
import { bothEnds, cutTo } from '../../layout/width.ts'
import { askedRows, type ScreenQuestion } from '../asked.ts'
import { filledTo, footOf, type ScreenFrame, type Size } from '../frame.ts'
import { ink, type Look, sign } from '../look.ts'
import { fittingRow, isTooSmall, tooSmallFrame } from '../watch/layout.ts'
import { type Standpoint, type StatusRow, selectedLine, statusTable } from './table.ts'

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
