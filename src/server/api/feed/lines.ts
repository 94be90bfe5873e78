/**
 * The lines of an output while it grows, from a given number. A reader that falls far behind gets a gap marker with
 * the number of skipped lines, then continues near the end. An unfinished last line is shown once it stops growing.
 */
import { join } from 'node:path'
import { type OutputLines, type ShownLine, shownLines } from '../../../engine/feed/lines.ts'
import { lookMs } from '../../../engine/feed/lookout.ts'
import { runEnd } from '../../../engine/feed/output.ts'
import { outputPlace, type Positions } from '../../../engine/feed/positions.ts'
import { runPlace } from '../../../engine/shown/runs.ts'
import { failureJson } from '../../../failures/words.ts'
import { readBytes } from '../../../store/files/artifact.ts'
import { linesOf } from '../../../store/files/lines/lines.ts'
import type { Display } from '../display.ts'
import type { Following, Part, Placed } from './part.ts'

const mostBehind = 5_000
const goesOnWith = 500
const mostLines = 500
const mostBytes = 262_144
const readAtOnce = 100
/** The limit per look for an output that is read for the first time. */
const grownBytes = 16 << 20

type Tab = { positions: Positions; display: Display }

export function linesPart(following: Following, { positions, display }: Tab, name: string): Part {
  const { loop, run, file } = outputPlace(name)
  const about = { loop, run, file }
  const place = runPlace(following.store, loop, run)
  const hasEnded = runEnd(following, loop, run)
  const path = place.ok ? join(place.value.dir, file) : ''
  const output = shownLines(linesOf(path), display.secrets(loop))
  let isOver = false
  let partial = ''
  const framed = (event: string, data: object, at: number): Placed => ({
    frame: { event, data: { ...about, ...data }, loop },
    at,
  })
  const look = (): Placed[] => {
    const at = positions.outputs.get(name) ?? 0
    if (isOver) return []
    if (!place.ok) {
      isOver = true
      return [{ frame: { event: 'failure', data: { loop, error: failureJson(place.failure) }, loop }, at }]
    }
    // Ask for the end before the last look, so that output written before the end is never missed.
    const isLast = hasEnded()
    if (output.grow(grownBytes)) return []
    const { lines: total, size } = output.count()
    const whole = isLast || endsLine(path, size) ? total : total - 1
    if (whole - at > mostBehind) {
      const to = whole - goesOnWith
      return [framed('gap', { of: 'output', from: at, to }, to)]
    }
    const lines = linesFrom(output, at, whole - at)
    if (lines.length > 0) partial = ''
    const next = at + lines.length
    if (lines.length > 0) return [framed('lines', { from: at, lines, total }, next)]
    if (isLast) {
      isOver = true
      return [framed('ended', { total }, next)]
    }
    const [begun] = total > whole ? output.read(whole, 1) : []
    if (!begun || begun.text === partial) return []
    partial = begun.text
    return [framed('partial', { line: begun }, next)]
  }
  return {
    everyMs: lookMs,
    look,
    reached: at => void positions.outputs.set(name, at),
    close: () => output.close(),
  }
}

function endsLine(path: string, size: number): boolean {
  if (size === 0) return true
  const [last] = readBytes(path, size - 1, size)
  return last === 10 || last === 13
}

/** At most one piece, by number of lines and bytes. */
function linesFrom(output: OutputLines, from: number, many: number): ShownLine[] {
  const lines: ShownLine[] = []
  let bytes = 0
  while (lines.length < Math.min(many, mostLines) && bytes < mostBytes) {
    const some = output.read(from + lines.length, Math.min(readAtOnce, many - lines.length))
    if (some.length === 0) break
    lines.push(...some)
    bytes += some.reduce((sum, { text }) => sum + text.length, 0)
  }
  return lines
}
