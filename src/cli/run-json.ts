/**
 * The log of a run as lines of JSON for programs: the agent's words and actions as items (model/agent), or, if loop
 * cannot read its output and with `--raw`, its output line by line. Secrets are removed; `text` is safe to show. A
 * text that arrives in pieces is printed once it is complete.
 */
import { join } from 'node:path'
import { jsonText, plainText } from '../core/text/plain-text.ts'
import { itemsOfRun, type RunItems } from '../engine/shown/runs.ts'
import type { AgentName } from '../model/agent.ts'
import { redactor, type Secret } from '../secrets/redact.ts'
import { growing } from '../store/files/artifact.ts'

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
