/**
 * Server-sent events, made as fast as the reader takes them and no faster: the next is made when the one before
 * has gone out, so that a slow reader costs one event of memory. Who falls behind in a log is told how much was
 * left out and goes on at its end.
 */
import { isActive } from '../../core/loop/summary.ts'
import type { Store } from '../../store/contract.ts'
import { readBytes, sizeOf } from '../../store/files/artifact.ts'
import { redactText, type Secret } from '../../views/secrets/redact.ts'
import { plainText } from '../../views/text/plain-text.ts'

type Frame = { event: string; id?: string; data: unknown }

/** The next frames in order; null at the end of it all. Waits by itself while there are none. */
export type FrameSource = (signal: AbortSignal) => Promise<Frame[] | null>

const beatMs = 15_000
const pollMs = 100

export function eventStream(source: FrameSource, ended: () => void): Response {
  const stop = new AbortController()
  const encoder = new TextEncoder()
  const close = () => {
    if (stop.signal.aborted) return
    stop.abort()
    ended()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const frames = await source(stop.signal)
          if (frames) controller.enqueue(encoder.encode(frames.map(textOf).join('') || ': still here\n\n'))
          else {
            controller.close()
            close()
          }
        } catch (error) {
          close()
          controller.error(error)
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

/** JSON has no raw newline, so one line of data is always enough. */
function textOf({ event, id, data }: Frame): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** Asks `look` again and again until it has something; an empty list after a while, as a sign of life. */
async function patiently<T>(look: () => T[] | null, signal: AbortSignal): Promise<T[] | null> {
  const beat = performance.now() + beatMs
  for (;;) {
    const found = look()
    if (found === null || found.length > 0) return found
    if (signal.aborted) return null
    if (performance.now() > beat) return []
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
}

const mostEvents = 200

/** Every event of a loop after `after`, as they come. */
export function eventsOf(store: Store, loop: string, after: number): FrameSource {
  let seen = after
  let version = ''
  let damaged = false
  return signal =>
    patiently((): Frame[] | null => {
      if (damaged) return null
      const now = store.changes.byAny()
      if (now === version) return []
      const events = store.journals.readAfter(loop, seen, mostEvents)
      if (!events.ok) {
        damaged = true
        return [{ event: 'failure', data: events.failure }]
      }
      // With fewer than asked for, there is nothing more until somebody writes.
      if (events.value.length < mostEvents) version = now
      seen = events.value.at(-1)?.seq ?? seen
      return events.value.map(event => ({ event: 'event', id: String(event.seq), data: event }))
    }, signal)
}

/** Every loop that has not ended; from then on each loop that has changed. */
export function loopChanges(store: Store, show: (id: string) => unknown): FrameSource {
  const known = new Map<string, number>()
  let version = ''
  let first = true
  return signal =>
    patiently(() => {
      const now = store.changes.byAny()
      if (now === version) return []
      version = now
      const seqs = new Map(store.heads.open().map(({ id, seq }) => [id, seq]))
      const changed = [...seqs].filter(([id, seq]) => known.get(id) !== seq).map(([id]) => id)
      const gone = [...known.keys()].filter(id => !seqs.has(id))
      known.clear()
      for (const [id, seq] of seqs) known.set(id, seq)
      const shown = [...changed, ...gone].map(id => ({ event: 'loop', data: show(id) }))
      const ready = first ? [{ event: 'ready', data: { loops: shown.length } }] : []
      first = false
      return [...shown, ...ready]
    }, signal)
}

const pieceBytes = 65_536
/** Who is further behind than this goes on at the end. */
const mostBehind = 1_048_576

type Output = { store: Store; loop: string; run: number; file: string; secrets: readonly Secret[] }

/** What a run prints, from the byte `from` on, until it has ended. */
export function outputOf({ store, loop, run, file, secrets }: Output, from: number): FrameSource {
  const plain = plainText()
  const hasEnded = endOf(store, loop, run)
  let at = from
  let over = false
  let before = -1
  return signal =>
    patiently(() => {
      if (over) return null
      // Asked before the last look at the file: what is written before the end is then never missed.
      const ended = sizeOf(file) <= at && hasEnded()
      const size = sizeOf(file)
      if (size > at) {
        const frames: Frame[] = []
        if (size - at > mostBehind) {
          const to = size - pieceBytes
          frames.push({ event: 'gap', id: String(to), data: { bytes: to - at } })
          at = to
        }
        // A line that has not ended is shown when it has not grown since the last look.
        const whole = ended || size === before
        before = size
        const bytes = wholeLines(readBytes(file, at, Math.min(size, at + pieceBytes)), whole)
        if (bytes.length > 0) {
          at += bytes.length
          const text = redactText(plain(bytes.toString('utf8')), secrets)
          frames.push({ event: 'output', id: String(at), data: { text } })
        }
        if (frames.length > 0) return frames
      }
      if (!ended) return []
      over = true
      return [{ event: 'end', id: String(at), data: { bytes: at } }]
    }, signal)
}

/** To the end of a line, so that no secret is cut in two; all of it where `whole`, or where one line is all there is. */
function wholeLines(bytes: Buffer, whole: boolean): Buffer {
  if (whole) return wholeCharacters(bytes)
  const end = bytes.lastIndexOf(10)
  if (end !== -1) return bytes.subarray(0, end + 1)
  return bytes.length < pieceBytes ? bytes.subarray(0, 0) : wholeCharacters(bytes)
}

/** Without the beginning of a character whose rest is not there yet, so that every number of bytes is a place to go on. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

/** Asked ten times a second by everybody who watches: the journal is read when it has grown, and only what is new. */
function endOf(store: Store, loop: string, run: number): () => boolean {
  let version = ''
  let read = 0
  let ended = false
  return () => {
    const now = store.changes.byAny()
    if (ended || now === version) return ended
    version = now
    const last = store.journals.lastSeq(loop)
    const ends = store.journals.ofKinds(loop, ['run.ended', 'run.lost'], read)
    read = last
    const summary = store.heads.get(loop)
    ended =
      ends.some(({ data }) => 'run' in data && data.run === run) ||
      !summary.ok ||
      !isActive(summary.value.status)
    return ended
  }
}
