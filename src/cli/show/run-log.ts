/**
 * The log of a run. For programs lines of JSON: the agent's words and actions as items (model/agent), or, if loop cannot
 * read its output and with `--raw`, its output line by line; a text that arrives in pieces is printed once it is complete.
 * With `--line` a line of an output with its context, or a range of lines, found by the line index at once however large
 * the output is; the numbers are those of `loop logs`, and `loop watch` shows them. Secrets are removed; `text` is safe to
 * show.
 */
import { join } from 'node:path'
import { jsonText, plainText } from '../../core/text/plain-text.ts'
import type { OutputLines, ShownLine } from '../../engine/feed/lines.ts'
import { itemsOfRun, type RunItems } from '../../engine/shown/runs.ts'
import type { AgentName } from '../../model/agent.ts'
import { invalid, ok, type Result } from '../../model/failure.ts'
import { formatBytes } from '../../model/units.ts'
import { redactor, type Secret } from '../../secrets/redact.ts'
import { growing } from '../../store/files/artifact.ts'
import type { Input } from '../command-table.ts'
import { out } from '../terminal.ts'

/** Pieces of text or exact bytes to print: `more` for new output, `end` for the held-back rest. */
export type RunLog = { fd: 1 | 2 } & Pieces<string | Buffer>

type Pieces<T> = { more(): Iterable<T>; end(): Iterable<T> }

export type LoggedRun = { run: number; iteration: number; agent: AgentName; dir: string }

const pieceBytes = 1 << 15
/** A longer line is cut, because a line is held back until its end. */
const longestLine = 1 << 16

export function jsonLogs(run: LoggedRun, secrets: readonly Secret[], raw: boolean): RunLog[] {
  const { dir, ...about } = run
  const line = (data: object) => `${jsonText({ ...about, ...data })}\n`
  const items = raw ? null : itemsOfRun(run, secrets)
  if (items) return [itemLog(items, line)]
  return (['out', 'err'] as const).map(stream => {
    const rows = (text: string[]) => text.map(part => line({ kind: 'output', stream, text: part }))
    const file = textLog(join(dir, stream), secrets)
    const split = cutter()
    return {
      fd: 1,
      *more() {
        for (const text of file.more()) yield* rows(split.add(text))
      },
      *end() {
        for (const text of file.end()) yield* rows(split.add(text))
        yield* rows(split.rest())
      },
    }
  })
}

/** The content of a file byte for byte, except for its secrets, which are given as bytes. */
export function exactLog(file: string, secrets: readonly Secret[]): Pieces<Buffer> {
  const redact = redactor(secrets)
  const source = growing(file, pieceBytes)
  const more = function* () {
    for (const bytes of source.pieces()) yield Buffer.from(redact.push(bytes.toString('latin1')), 'latin1')
  }
  return {
    more,
    *end() {
      yield* more()
      source.close()
      yield Buffer.from(redact.end(), 'latin1')
    },
  }
}

/** The content of a file as safe text. */
export function textLog(file: string, secrets: readonly Secret[]): Pieces<string> {
  const plain = plainText()
  const redact = redactor(secrets)
  const decoder = new TextDecoder()
  const source = growing(file, pieceBytes)
  const more = function* () {
    for (const bytes of source.pieces()) yield redact.push(plain(decoder.decode(bytes, { stream: true })))
  }
  return {
    more,
    *end() {
      yield* more()
      source.close()
      yield redact.end()
    },
  }
}

function itemLog(found: RunItems, line: (data: object) => string): RunLog {
  const more = function* () {
    for (let isOver = false; !isOver; ) {
      const { items, atEnd } = found.more()
      isOver = atEnd
      yield* items.map(line)
    }
  }
  return {
    fd: 1,
    more,
    *end() {
      yield* more()
      yield* found.end().map(line)
    },
  }
}

/** Lines with their ends. */
export function cutter(): { add(text: string): string[]; rest(): string[] } {
  let held = ''
  const rest = () => {
    const text = held
    held = ''
    return text === '' ? [] : [text]
  }
  return {
    add(text) {
      const lines = (held + text).split(/(?<=\n)/)
      held = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '')
      return held.length > longestLine ? [...lines, ...rest()] : lines
    },
    rest,
  }
}

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
  if (wrong) return invalid({ kind: 'line-with', flag: wrong })
  const [, from = '', to] = /^(\d{1,12})(?:\.\.(\d{1,12}))?$/.exec(typed) ?? []
  const [first, last] = [Number(from), Number(to ?? from)]
  if (first < 1 || last < first) return invalid({ kind: 'bad-line', text: typed })
  if (to !== undefined) return ok({ first, last, marked: null })
  return ok({ first: Math.max(1, first - around), last: first + around, marked: first })
}

export function printLines(lines: OutputLines, { first, last, marked }: Range, input: Input): Result<number> {
  while (lines.grow());
  const { lines: all } = lines.count()
  if ((marked ?? first) > all) return invalid({ kind: 'no-such-line', line: marked ?? first, lines: all })
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
