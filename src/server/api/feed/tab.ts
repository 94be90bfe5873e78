/**
 * The one feed of a tab: the list, journals, outputs and words that it follows, in one stream. Browsers allow six
 * connections to a server, so several streams would block the page. The server remembers nothing of a tab: what is
 * followed is in the query, and the id of each frame says how far everything is (engine/feed/positions).
 */
import { type Positions, positionText } from '../../../engine/feed/positions.ts'
import { sourceOf } from '../../../engine/feed/source.ts'
import type { FailingSeries } from '../../../engine/shown/failing.ts'
import type { Display } from '../display.ts'
import type { Frame, FrameSource } from '../stream.ts'
import { journalPart } from './journal.ts'
import { linesPart } from './lines.ts'
import { listPart } from './list.ts'
import type { Following, Part } from './part.ts'
import { wordsPart } from './words.ts'

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
