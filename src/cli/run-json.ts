/**
 * The log of a run as lines of JSON, for programs: what the agent said and did as the items of model/agent, or,
 * where loop can not read its output and with `--raw`, what it printed, line by line. Without secrets, like
 * every log; `text` is safe to show. The texts of one stream, joined, are all of it.
 */
import { join } from 'node:path'
import { agents } from '../adapters/agents/agent.ts'
import { listenTo } from '../engine/perform/loop/output.ts'
import type { AgentName, Item } from '../model/agent.ts'
import { growing } from '../store/files/artifact.ts'
import { redactAll, redactor, type Secret } from '../views/secrets/redact.ts'
import { jsonText, plainText } from '../views/text/plain-text.ts'

/** Pieces of text to print: `more` what has come since the last time, `end` what was kept back too. */
export type RunLog = { fd: 1 | 2; more(): Iterable<string>; end(): Iterable<string> }

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

/** What a file holds, as text that is safe to show. */
export function textLog(file: string, secrets: readonly Secret[]): Omit<RunLog, 'fd'> {
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

/** A secret may be cut in two by the pieces in which an agent speaks: the last word waits for its end. */
function itemCleaner(secrets: readonly Secret[]): { add(item: Item): Item[]; rest(): Item[] } {
  const plain = plainText()
  let redact = redactor(secrets)
  const rest = (): Item[] => {
    const text = redact.end()
    redact = redactor(secrets)
    return text === '' ? [] : [{ kind: 'text', text, delta: true }]
  }
  return {
    add(item) {
      if (item.kind !== 'text') return [...rest(), redactAll(item, secrets)]
      const before = item.delta ? [] : rest()
      const text = redact.push(plain(item.text))
      return text === '' && item.delta ? before : [...before, { ...item, text }]
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
