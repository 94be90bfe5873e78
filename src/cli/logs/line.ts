/**
 * `loop logs --line`: a line of an output with its context, or a range of lines, found by the line index at once
 * however large the output is. Line numbers are those of `loop logs`; `loop watch` shows them.
 */

import { jsonText } from '../../core/text/plain-text.ts'
import type { OutputLines, ShownLine } from '../../engine/feed/lines.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { formatBytes } from '../../model/units.ts'
import type { Input } from '../command-table.ts'
import { out } from '../terminal.ts'

/** Numbers from 1 on. `marked`: the requested line, with context around it. */
type Range = { first: number; last: number; marked: number | null }

const around = 10
/** The number of lines read at a time. */
const step = 500

/** Null if no line is asked for. */
export function lineRange(input: Input): Result<Range | null> {
  const typed = input.value('line')
  if (typed === null) return ok(null)
  const wrong = ['follow', 'raw', 'hook'].find(flag => input.given(flag))
  if (wrong) return fail('invalid-arguments', { kind: 'line-with', flag: wrong })
  const [, from = '', to] = /^(\d{1,12})(?:\.\.(\d{1,12}))?$/.exec(typed) ?? []
  const [first, last] = [Number(from), Number(to ?? from)]
  if (first < 1 || last < first) return fail('invalid-arguments', { kind: 'bad-line', text: typed })
  if (to !== undefined) return ok({ first, last, marked: null })
  return ok({ first: Math.max(1, first - around), last: first + around, marked: first })
}

export function printLines(lines: OutputLines, { first, last, marked }: Range, input: Input): Result<number> {
  while (lines.grow());
  const { lines: all } = lines.count()
  if ((marked ?? first) > all)
    return fail('invalid-arguments', { kind: 'no-such-line', line: marked ?? first, lines: all })
  const width = String(Math.min(last, all)).length
  const row = (line: ShownLine) => {
    if (input.given('json'))
      return jsonText({ line: line.n + 1, text: line.text, ...(line.cut > 0 && { cut: line.cut }) })
    return marked === null
      ? textOf(line)
      : `${line.n + 1 === marked ? '>' : ' '} ${String(line.n + 1).padStart(width)}  ${textOf(line)}`
  }
  for (let at = first; at <= Math.min(last, all); at += step)
    if (!lines.read(at - 1, Math.min(step, last - at + 1)).every(line => out(row(line)))) break
  lines.close()
  return ok(0)
}

/** The colour ends with the line. */
function textOf({ text, colour, cut }: ShownLine): string {
  const ended = colour !== '' || text.includes('\u001B') ? `${colour}${text}\u001B[0m` : text
  return cut > 0 ? `${ended} … ${formatBytes(cut)} more` : ended
}
