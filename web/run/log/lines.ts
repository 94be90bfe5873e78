/**
 * The lines of one output on the page: fetched by number when they become visible, at most a few thousand at a time;
 * the feed brings the end. However long the output, the page stays small.
 */
import { askLoopd } from '../../base/api.ts'
import { type Cell, cell } from '../../base/cell.ts'
import { followFeed } from '../../base/feed.ts'
import { type HeldLines, heldLines, type LogLine, linesInPiece } from './held-lines.ts'

type LogState = {
  /** The number of lines; the last line may be unfinished. */
  total: number
  isEnded: boolean
  isLoaded: boolean
  failure: string | null
  /** Raised whenever lines arrive. */
  round: number
}

export type LogLines = {
  state: Cell<LogState>
  at(line: number): LogLine | null
  /** Fetches the missing lines of this range. */
  need(first: number, last: number): void
  stop(): void
}

export type LogSource = { id: string; run: number; file: 'out' | 'err' }

/** Requests at the same time. */
const mostAsked = 2

const nothing: LogState = { total: 0, isEnded: false, isLoaded: false, failure: null, round: 0 }

type Reading = { source: LogSource; state: Cell<LogState>; held: HeldLines; signal: AbortSignal }

export function logLines(source: LogSource): LogLines {
  const stopped = new AbortController()
  const reading: Reading = { source, state: cell(nothing), held: heldLines(), signal: stopped.signal }
  const { state, held } = reading
  const asked = new Set<number>()
  let wanted: number[] = []
  const askNext = () => {
    const index = asked.size < mostAsked ? wanted.find(one => !asked.has(one)) : undefined
    if (index === undefined) return
    asked.add(index)
    const done = () => {
      asked.delete(index)
      wanted = wanted.filter(one => one !== index)
      askNext()
    }
    fetchPiece(reading, index).then(done, done)
    askNext()
  }
  begin(reading).catch((error: unknown) => changed(reading, { failure: String(error) }))
  return {
    state,
    at: held.at,
    need(first, last) {
      // Fast scrolling passes pieces that are no longer wanted when their turn comes: only the newest wish counts.
      wanted = held.missing(first, last, state.get().total)
      askNext()
      held.forgetFar((first + last) / 2)
    },
    stop: () => stopped.abort(),
  }
}

function changed({ state }: Reading, change: Partial<LogState>): void {
  state.update(now => ({ ...now, ...change, round: now.round + 1 }))
}

function paramsOf({ id, run, file }: LogSource) {
  return { id, run: String(run), output: file }
}

async function fetchPiece(reading: Reading, index: number): Promise<void> {
  const { source, state, held, signal } = reading
  const query = { from: String(index * linesInPiece), count: String(linesInPiece) }
  const got = await askLoopd('lines', { params: paramsOf(source), query }, signal)
  if (signal.aborted) return
  if (!got.ok) return changed(reading, { failure: got.message })
  const { from, lines, total, hasEnded } = got.value
  held.put(from, lines)
  changed(reading, { total: Math.max(state.get().total, total), isEnded: hasEnded, failure: null })
}

/** The end of the output first: that is what a reader of a log wants to see. */
async function begin(reading: Reading): Promise<void> {
  const { source, held, signal } = reading
  const got = await askLoopd(
    'lines',
    { params: paramsOf(source), query: { tail: String(linesInPiece) } },
    signal,
  )
  if (signal.aborted) return
  if (!got.ok) return changed(reading, { failure: got.message, isLoaded: true })
  const { from, lines, total, hasEnded } = got.value
  held.put(from, lines)
  changed(reading, { total, isEnded: hasEnded, isLoaded: true })
  if (!hasEnded) signal.addEventListener('abort', followEnd(reading))
}

type Frame = {
  loop: string
  run: number
  file: string
  from: number
  lines: LogLine[]
  line: LogLine
  to: number
}

function followEnd(reading: Reading): () => void {
  const { source, state, held } = reading
  const { id, run, file } = source
  const grown = (to: number) => Math.max(state.get().total, to)
  // The last line may be unfinished, so it is requested again.
  let next = Math.max(0, state.get().total - 1)
  return followFeed({
    part: 'outputs',
    position: () => `${id}/${run}/${file}:${next}`,
    hear(event, frame: Frame) {
      if (frame.loop !== id || frame.run !== run || frame.file !== file) return
      if (event === 'lines') {
        held.put(frame.from, frame.lines, true)
        next = frame.from + frame.lines.length
        changed(reading, { total: grown(next) })
      } else if (event === 'partial') {
        held.put(frame.line.n, [frame.line], true)
        changed(reading, { total: grown(frame.line.n + 1) })
      } else if (event === 'gap') {
        next = frame.to
        changed(reading, { total: grown(next) })
      } else if (event === 'ended') changed(reading, { isEnded: true })
    },
  })
}
