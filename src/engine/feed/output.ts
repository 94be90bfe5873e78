/**
 * The output of a run while it grows, from a given byte. A client that reads too slowly gets a gap marker with the
 * number of skipped bytes, then continues near the end, so that memory does not grow with the output. The text is
 * raw: its reader must make it safe and remove secrets.
 */
import { isActive } from '../../core/loop/summary.ts'
import { readBytes, sizeOf } from '../../store/files/artifact.ts'
import { lookMs } from './lookout.ts'
import { type Followed, type Source, sourceOf } from './source.ts'

type Bounds = { pieceBytes: number; mostBehind: number }

/** The output after byte `at`, at most one piece; `gap` bytes before the piece were skipped. */
export function outputAfter(
  file: string,
  at: number,
  { pieceBytes, mostBehind }: Bounds,
): { gap: number; bytes: Buffer; size: number } {
  const size = sizeOf(file)
  const gap = size - at > mostBehind ? size - pieceBytes - at : 0
  const from = at + gap
  const bytes = size > from ? readBytes(file, from, Math.min(size, from + pieceBytes)) : Buffer.alloc(0)
  return { gap, bytes, size }
}

/** `at` is the byte to continue from. A piece has whole lines, except where a line is very long or has no end. */
export type OutputPiece =
  | { kind: 'gap'; at: number; left: number }
  | { kind: 'output'; at: number; bytes: Buffer }
  | { kind: 'end'; at: number }

export type Output = Followed & { loop: string; run: number; file: string }

const bounds: Bounds = { pieceBytes: 65_536, mostBehind: 1_048_576 }

/** The output of a run from byte `from` until the run has ended. */
export function outputFrom({ store, feed, loop, run, file }: Output, from: number): Source<OutputPiece> {
  const hasEnded = runEnd({ store, feed }, loop, run)
  let at = from
  let over = false
  let before = -1
  const look = (): OutputPiece[] | null => {
    if (over) return null
    // Ask for the end before the last look at the file, so that output written before the end is never missed.
    const ended = sizeOf(file) <= at && hasEnded()
    const { gap, bytes, size } = outputAfter(file, at, bounds)
    const pieces: OutputPiece[] = []
    at += gap
    if (gap > 0) pieces.push({ kind: 'gap', at, left: gap })
    // An unfinished line is shown if it has not grown since the last look.
    const whole = wholeLines(bytes, ended || size === before)
    if (size > at) before = size
    at += whole.length
    if (whole.length > 0) pieces.push({ kind: 'output', at, bytes: whole })
    over = ended && pieces.length === 0
    return over ? [{ kind: 'end', at }] : pieces
  }
  return sourceOf(feed, look, lookMs)
}

/**
 * Cuts at the end of a line, so that no secret is split; returns everything if `isAll`, or if there is only one
 * line.
 */
function wholeLines(bytes: Buffer, isAll: boolean): Buffer {
  if (isAll) return wholeCharacters(bytes)
  const end = bytes.lastIndexOf(10)
  if (end !== -1) return bytes.subarray(0, end + 1)
  return bytes.length < bounds.pieceBytes ? bytes.subarray(0, 0) : wholeCharacters(bytes)
}

/** Removes an incomplete character at the end, so that every byte count is a valid place to continue. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

/** Called ten times a second by every reader: only new events of a journal that has grown are read. */
export function runEnd({ store, feed }: Followed, loop: string, run: number): () => boolean {
  let version = ''
  let read = 0
  let ended = false
  return () => {
    const now = feed.version()
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
