/**
 * The runs of a loop: as a list, from its journal, and what an agent printed in one of them, as words, items or numbered
 * lines. Secrets are taken out on the way.
 */
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { agents } from '../../adapters/agents/agent.ts'
import { plainText } from '../../core/text/plain-text.ts'
import type { DocumentOf } from '../../documents/fields.ts'
import type { runSchema } from '../../documents/log.ts'
import type { AgentName, Item } from '../../model/agent.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { EventOf, Recorded } from '../../model/loop/event.ts'
import { redactAll, redactor, type Secret } from '../../secrets/redact.ts'
import type { Store } from '../../store/contract.ts'
import { linesOf } from '../../store/files/lines.ts'
import { loopDir } from '../../store/files/paths.ts'
import { agentWords } from '../../views/text/agent-words.ts'
import { type OutputLines, type ShownLine, shownLines } from '../feed/lines.ts'
import { type Spool, spoolIn } from '../feed/spool.ts'
import { listenTo } from '../perform/loop/output.ts'

const stepBytes = 4 << 20

/** The limit for one request. */
const searchedBytes = 256 << 20

type Wanted = { from: number | null; tail: number | null; count: number }

/** `total`: the number of lines so far. */
export function someLinesOf(
  file: string,
  secrets: readonly Secret[],
  { from, tail, count }: Wanted,
): Promise<{ from: number; lines: ShownLine[]; total: number }> {
  return reading(file, secrets, async output => {
    const { lines: total } = output.count()
    const many = Math.min(count, tail ?? count)
    const first = tail === null ? (from ?? 0) : Math.max(0, total - many)
    return { from: first, lines: output.read(first, many), total }
  })
}

type Search = { text: string; from: number | null; back: boolean; limit: number }

export function matchesIn(
  file: string,
  secrets: readonly Secret[],
  { text, from, back, limit }: Search,
): Promise<{ matches: ShownLine[]; next: number | null }> {
  return reading(file, secrets, async output => {
    const matches: ShownLine[] = []
    let at: number | null = from ?? (back ? output.count().lines - 1 : 0)
    for (let left = searchedBytes; at !== null && matches.length < limit && left > 0; await breathe()) {
      const found = output.find({ text, from: at, back, mostBytes: stepBytes })
      left -= stepBytes
      if (found.line === null) at = found.next
      else {
        matches.push(...output.read(found.line, 1))
        at = found.line + (back ? -1 : 1)
      }
    }
    const isOver = at === null || at < 0 || at >= output.count().lines
    return { matches, next: isOver ? null : at }
  })
}

async function reading<T>(
  file: string,
  secrets: readonly Secret[],
  work: (output: OutputLines) => Promise<T>,
): Promise<T> {
  const output = shownLines(linesOf(file), secrets)
  try {
    while (output.grow(stepBytes)) await breathe()
    return await work(output)
  } finally {
    output.close()
  }
}

/**
 * The words and actions of an agent run as items (model/agent), in order, while its output grows. Secrets are
 * removed, and `text` is safe to show. A text that arrives in pieces is returned once it is complete. Only for
 * agents whose output loop understands.
 */
export type RunItems = {
  /** The items since the last call; if there are very many, only some, and `atEnd` is false. */
  more(): { items: Item[]; atEnd: boolean }
  /** The text that was held back; the last call. */
  end(): Item[]
}

/** Null if the agent's output is plain text. */
export function itemsOfRun(
  { dir, agent }: { dir: string; agent: AgentName },
  secrets: readonly Secret[],
): RunItems | null {
  const { read } = agents[agent]
  if (!read) return null
  const listener = listenTo(dir, read(Date.now))
  const clean = itemCleaner(secrets)
  return {
    more() {
      const { items, atEnd } = listener.next()
      return { items: items.flatMap(item => clean.add(item)), atEnd }
    },
    end() {
      listener.close()
      return clean.rest()
    },
  }
}

/** The limit on held-back text; a longer text is returned in several pieces. */
const longestText = 1 << 20

/** Joins the pieces of a text, because a secret can be split between two of them. */
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

type RunRow = DocumentOf<typeof runSchema>

export function runRows(events: readonly Recorded[]): RunRow[] {
  const rows = new Map<number, RunRow>()
  const [first] = events
  const named = first?.kind === 'loop.created' ? first.data.spec.agent : 'custom'
  for (const event of events) {
    if (event.kind === 'run.started') rows.set(event.data.run, begun(event.data, event.at, named))
    if (event.kind !== 'run.ended' && event.kind !== 'run.lost') continue
    const row = rows.get(event.data.run)
    if (row) rows.set(row.run, { ...row, ...endOf(event) })
  }
  return [...rows.values()]
}

function begun(data: EventOf<'run.started'>['data'], at: number, named: AgentName): RunRow {
  const agent = data.agent ?? named
  return {
    run: data.run,
    iteration: data.iteration,
    agent,
    startedAt: at,
    endedAt: null,
    how: null,
    exitCode: null,
    durationMs: null,
    costUsd: null,
    isEstimated: false,
    tokens: null,
    session: data.session ?? null,
    outBytes: 0,
    errBytes: 0,
    promptBytes: data.prompt.bytes,
    hasItems: agents[agent].read !== null,
  }
}

function endOf({ kind, data, at }: Extract<Recorded, { kind: 'run.ended' | 'run.lost' }>): Partial<RunRow> {
  const exit =
    kind === 'run.ended'
      ? { how: data.how, exitCode: data.exitCode, durationMs: data.durationMs }
      : { how: 'lost' }
  return {
    ...exit,
    endedAt: at,
    costUsd: data.costUsd ?? null,
    isEstimated: data.estimated ?? false,
    tokens: data.tokens ?? null,
    ...(kind === 'run.ended' && data.session && { session: data.session.id }),
    outBytes: data.out.bytes,
    errBytes: data.err.bytes,
  }
}

type RunPlace = { run: number; iteration: number; agent: AgentName; dir: string }

/** The directory of a run and its agent. Only the journal is used: no part of the path comes from the caller. */
export function runPlace(store: Store, loop: string, run: number): Result<RunPlace> {
  const known = store.heads.get(loop)
  if (!known.ok) return known
  const events = store.journals.ofKinds(loop, ['loop.created', 'run.started'], 0)
  const started = events.flatMap(({ data }) => (isStart(data) && data.run === run ? data : []))[0]
  if (!started) return fail('unknown-loop', { kind: 'unknown-run', id: loop, run })
  const [created] = events.flatMap(({ data }) => ('spec' in data ? data.spec.agent : []))
  const dir = join(loopDir(store.paths, loop), started.dir)
  return ok({ run, iteration: started.iteration, agent: started.agent ?? created ?? 'custom', dir })
}

function isStart(data: Recorded['data']): data is EventOf<'run.started'>['data'] {
  return 'run' in data && 'dir' in data && 'boot' in data && 'iteration' in data
}

/** `cache`: a directory for a file that lives as long as this program; `ended`: the agent will print nothing more. */
type Looking = { cache: string; secrets: readonly Secret[]; ended(): boolean }

/**
 * The lines that `loop logs` prints of a run, by number: the agent's words if loop understands its output, otherwise
 * its stdout. Safe to show and without secrets. Line numbers are the same for every reader.
 */
export function linesOfRun(run: { dir: string; agent: AgentName }, looking: Looking): OutputLines {
  const { cache, secrets } = looking
  const words = wordsOfRun(run.dir, run.agent, secrets)
  if (!words) return shownLines(linesOf(join(run.dir, 'out')), secrets)
  return spelledLines(words, spoolIn(cache), looking)
}

/** The agent's current text is shown before its end: each look returns the words so far. */
function spelledLines(words: Words, spool: Spool, { secrets, ended }: Looking): OutputLines {
  const lines = shownLines(spool.lines, secrets)
  let isOver = false
  const end = () => {
    const last = isOver ? '' : words.end()
    isOver = true
    return last
  }
  const grow = () => {
    // Ask for the end before the last look, so that output written before the end is never missed.
    const isLast = ended()
    const { text, atEnd } = words.more()
    spool.add(text)
    if (isLast && atEnd) spool.add(end())
    return !atEnd
  }
  return {
    ...lines,
    grow(mostBytes) {
      const isMore = !isOver && grow()
      return lines.grow(mostBytes) || isMore
    },
    close() {
      end()
      lines.close()
    },
  }
}

/**
 * The words and actions of an agent run as text for people, in pieces while it grows. Safe to show, without secrets,
 * and in bounded memory. Only for agents whose output loop understands; the output of others is shown as it is.
 */
export type Words = {
  /** The new text up to the end of a word; only a part if it is very long. */
  more(): { text: string; atEnd: boolean }
  /** The last text; nothing follows. */
  end(): string
}

export function wordsOfRun(dir: string, agent: AgentName, secrets: readonly Secret[]): Words | null {
  const { read } = agents[agent]
  if (!read) return null
  const listener = listenTo(dir, read(Date.now))
  const words = agentWords()
  const plain = plainText()
  const redact = redactor(secrets)
  return {
    more() {
      const { items, atEnd } = listener.next()
      return { text: redact.push(plain(items.map(words).join(''))), atEnd }
    },
    end() {
      listener.close()
      return redact.end()
    },
  }
}

/** Everything that is there now, in pieces. */
export function* piecesOf(words: Words): Generator<string> {
  for (let isOver = false; !isOver; ) {
    const { text, atEnd } = words.more()
    isOver = atEnd
    if (text !== '') yield text
  }
}
