/**
 * The log of a run as lines of JSON, for programs: what the agent said and did as the items of model/agent, or,
 * where loop cannot read its output and with `--raw`, what it printed, line by line. Without secrets, like
 * every log; `text` is safe to show. A text that comes in pieces is given once it is whole.
 */
import { join } from 'node:path'
import { agents } from '../adapters/agents/agent.ts'
import { listenTo } from '../engine/perform/loop/output.ts'
import type { AgentName, Item } from '../model/agent.ts'
import { growing } from '../store/files/artifact.ts'
import { redactAll, redactor, type Secret } from '../views/secrets/redact.ts'
import { jsonText, plainText } from '../views/text/plain-text.ts'

/** Pieces of text to print, or of exact bytes: `more` what has come since the last time, `end` what was kept back too. */
export type RunLog = { fd: 1 | 2 } & Pieces<string | Buffer>

type Pieces<T> = { more(): Iterable<T>; end(): Iterable<T> }

export type LoggedRun = { run: number; iteration: number; agent: AgentName; dir: string }

const pieceBytes = 1 << 15
/** A longer line is cut: it is held back until its end. */
const longestLine = 1 << 16

export function jsonLogs(run: LoggedRun, secrets: readonly Secret[], raw: boolean): RunLog[] {
  const { dir, ...about } = run
  const line = (data: object) => `${jsonText({ ...about, ...data })}\n`
  const { read } = agents[run.agent]
  if (read && !raw) return [itemLog(listenTo(dir, read(Date.now)), line, secrets)]
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

/** What a file holds, byte for byte but for its secrets, which are given as they stand in bytes. */
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

/** What a file holds, as text that is safe to show. */
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

function itemLog(
  listener: ReturnType<typeof listenTo>,
  line: (data: object) => string,
  secrets: readonly Secret[],
): RunLog {
  const clean = itemCleaner(secrets)
  const more = function* () {
    for (let isOver = false; !isOver; ) {
      const { items, atEnd } = listener.next()
      isOver = atEnd
      for (const item of items) yield* clean.add(item).map(line)
    }
  }
  return {
    fd: 1,
    more,
    *end() {
      yield* more()
      listener.close()
      yield* clean.rest().map(line)
    },
  }
}

/** A longer text is given in several pieces: it is held back until its end. */
const longestText = 1 << 20

/** Texts as a whole; a secret may be cut in two by the pieces in which an agent speaks. */
function itemCleaner(secrets: readonly Secret[]): { add(item: Item): Item[]; rest(): Item[] } {
  const plain = plainText()
  let redact = redactor(secrets)
  let parts: string[] = []
  let length = 0
  const put = (text: string) => {
    parts.push(text)
    length += text.length
  }
  const taken = (): Item[] => {
    const text = parts.join('')
    parts = []
    length = 0
    return text === '' ? [] : [{ kind: 'text', text }]
  }
  const rest = (): Item[] => {
    put(redact.end())
    redact = redactor(secrets)
    return taken()
  }
  return {
    add(item) {
      if (item.kind !== 'text') return [...rest(), redactAll(item, secrets)]
      const before = item.delta ? [] : rest()
      put(redact.push(plain(item.text)))
      if (!item.delta) return [...before, ...rest()]
      return length > longestText ? taken() : []
    },
    rest,
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
