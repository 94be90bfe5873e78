/**
 * The one feed of a tab: the list, journals, outputs and words that it follows, in one stream. Browsers allow six
 * connections to a server, so several streams would block the page. The server remembers nothing of a tab: what is
 * followed is in the query, and the id of each frame says how far everything is (engine/feed/positions).
 */

import { join } from 'node:path'
import { type OutputLines, type ShownLine, shownLines } from '../../engine/feed/lines.ts'
import { lookMs } from '../../engine/feed/lookout.ts'
import { runEnd } from '../../engine/feed/output.ts'
import { outputPlace, type Positions, positionText, wordsPlace } from '../../engine/feed/positions.ts'
import { eventLook, sourceOf } from '../../engine/feed/source.ts'
import type { Feed } from '../../engine/feed.ts'
import type { FailingSeries } from '../../engine/shown/failing.ts'
import { rowsOf } from '../../engine/shown/listing.ts'
import { itemsOfRun, type RunItems, runPlace } from '../../engine/shown/runs.ts'
import { failureJson } from '../../failures/words.ts'
import { fail, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'
import { readBytes } from '../../store/files/artifact.ts'
import { linesOf } from '../../store/files/lines.ts'
import type { Display } from './display.ts'
import type { Frame, FrameSource } from './stream.ts'

type Tab = { positions: Positions; display: Display; failing: FailingSeries; hello: object }

export function tabFrames(following: Following, { positions, display, failing, hello }: Tab): FrameSource {
  // A reader without a revision gets no replay: it reads the list by its own route.
  if (positions.revision === 0) positions.revision = following.store.changes.revision()
  const parts: Part[] = [
    ...(positions.followsList ? [listPart(following, positions, failing)] : []),
    ...Array.from(positions.journals.keys(), loop => journalPart(following, positions, loop)),
    ...Array.from(positions.outputs.keys(), name => linesPart(following, { positions, display }, name)),
    ...Array.from(positions.words.keys(), name => wordsPart(following, { positions, display }, name)),
  ]
  const everyMs = Math.min(...parts.map(part => part.everyMs), beatMs)
  let isFirst = true
  const look = (): Frame[] => {
    const data = { ...hello, revision: positions.revision }
    const frames: Frame[] = isFirst ? [{ event: 'hello', id: positionText(positions), data }] : []
    isFirst = false
    for (const part of parts) {
      for (const { frame, at } of part.look()) {
        part.reached(at)
        frames.push({ ...frame, id: positionText(positions) })
      }
    }
    return frames
  }
  const source = sourceOf(following.feed, look, everyMs)
  let isWatched = false
  return async signal => {
    if (!isWatched) signal.addEventListener('abort', () => closeAll(parts), { once: true })
    isWatched = true
    return source(signal)
  }
}

const beatMs = 15_000

function closeAll(parts: readonly Part[]): void {
  for (const part of parts) part.close?.()
}

/** One thing that a tab follows: its new frames, each with the position that the reader has reached. */

type Placed = { frame: Frame; at: number }

type Part = {
  /** At most a piece of what there is. */
  look(): Placed[]
  /** Records how far the reader has come. */
  reached(at: number): void
  /** How often it is read although the store has not changed. */
  everyMs: number
  close?(): void
}

type Following = { store: Store; feed: Feed; now(): number }

/** The rows of the list as they change. A reader that is too far behind is told to read the list again. */

/** The shortest interval between two versions of a row. */
const rowsMs = 250
const mostRows = 200

function listPart({ store, now }: Following, positions: Positions, failing: FailingSeries): Part {
  let looked = Number.NEGATIVE_INFINITY
  const row = (id: string): Placed['frame'] => {
    const at = { now: now(), failing }
    const { rows } = rowsOf(store, [id], { hostOf: store.leases.finder(), at })
    const found = store.heads.get(id)
    if (rows[0]) return { event: 'row', data: rows[0], loop: id }
    const error = found.ok ? null : failureJson(found.failure)
    return { event: 'failure', data: { loop: id, error }, loop: id }
  }
  return {
    everyMs: rowsMs,
    reached(at) {
      positions.revision = at
    },
    look() {
      if (performance.now() - looked < rowsMs) return []
      const changed = store.changes.after(positions.revision)
      const newest = changed.at(-1)
      if (!newest) return []
      looked = performance.now()
      if (changed.length > mostRows) {
        return [{ frame: { event: 'gap', data: { of: 'list', rows: changed.length } }, at: newest.rev }]
      }
      const sent = new Set<string>()
      return changed.flatMap(({ id, rev }) => {
        const group = groupOf(id)
        // The row of a group shows its members.
        const ids = [id, ...(group === null ? [] : [group])].filter(one => !sent.has(one))
        for (const one of ids) sent.add(one)
        return ids.map(one => ({ frame: row(one), at: rev }))
      })
    },
  }

  function groupOf(id: string): string | null {
    const one = store.heads.get(id)
    return one.ok ? one.value.group : null
  }
}

/** The events of one journal, after the last that the reader has. */
function journalPart({ store }: Following, positions: Positions, loop: string): Part {
  const known = store.heads.get(loop)
  const look = eventLook(store, loop, positions.journals.get(loop) ?? 0)
  let unknown = known.ok ? null : failureJson(known.failure)
  return {
    everyMs: Number.POSITIVE_INFINITY,
    reached: at => void positions.journals.set(loop, at),
    look() {
      const at = positions.journals.get(loop) ?? 0
      if (!known.ok) {
        const error = unknown
        unknown = null
        return error ? [{ frame: { event: 'failure', data: { loop, error }, loop }, at }] : []
      }
      return (look() ?? []).map(item =>
        'kind' in item
          ? { frame: { event: 'event', data: item, loop }, at: item.seq }
          : { frame: { event: 'failure', data: { loop, error: failureJson(item) }, loop }, at },
      )
    },
  }
}

/**
 * The lines of an output while it grows, from a given number. A reader that falls far behind gets a gap marker with
 * the number of skipped lines, then continues near the end. An unfinished last line is shown once it stops growing.
 */
const mostBehind = 5_000
const goesOnWith = 500
const mostLines = 500
const mostBytes = 262_144
const readAtOnce = 100
/** The limit per look for an output that is read for the first time. */
const grownBytes = 16 << 20

type OutputTab = { positions: Positions; display: Display }

function linesPart(following: Following, { positions, display }: OutputTab, name: string): Part {
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

/** What the agent of a run says and does, as items, from a given number on. */
const mostItems = 200

function wordsPart(
  following: Following,
  { positions, display }: { positions: Positions; display: Display },
  name: string,
): Part {
  const { loop, run } = wordsPlace(name)
  const opened = open(following, display, { loop, run })
  const hasEnded = runEnd(following, loop, run)
  const from = positions.words.get(name) ?? 0
  let index = 0
  let isOver = false
  const waiting: unknown[] = []
  const reached = (at: number) => void positions.words.set(name, at)
  const close = () => {
    if (!isOver && opened.ok) opened.value.end()
    isOver = true
  }
  const look = (): Placed[] => {
    if (isOver) return []
    if (!opened.ok) {
      isOver = true
      return [
        { frame: { event: 'failure', data: { loop, error: failureJson(opened.failure) }, loop }, at: from },
      ]
    }
    // Checked before the last read, so that text written before the end is never missed.
    const isLast = hasEnded()
    const { items, atEnd } = waiting.length > mostItems ? { items: [], atEnd: false } : opened.value.more()
    waiting.push(...items)
    const isDone = isLast && atEnd
    if (isDone) waiting.push(...opened.value.end())
    const skipped = waiting.splice(0, Math.max(0, Math.min(waiting.length, from - index)))
    index += skipped.length
    const given = waiting.splice(0, isDone ? waiting.length : mostItems)
    const first = index
    index += given.length
    isOver = isDone
    const frames: Placed[] = []
    if (given.length > 0)
      frames.push({
        frame: { event: 'items', data: { loop, run, from: first, items: given }, loop },
        at: index,
      })
    if (isDone) frames.push({ frame: { event: 'ended', data: { loop, run, file: null }, loop }, at: index })
    return frames
  }
  return { everyMs: lookMs, look, reached, close }
}

function open(
  { store }: Following,
  display: Display,
  { loop, run }: { loop: string; run: number },
): Result<RunItems> {
  const place = runPlace(store, loop, run)
  if (!place.ok) return place
  const items = itemsOfRun(place.value, display.secrets(loop))
  if (items) return { ok: true, value: items }
  return fail('not-allowed', { kind: 'no-items', agent: place.value.agent })
}
