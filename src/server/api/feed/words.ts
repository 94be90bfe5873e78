/** What the agent of a run says and does, as items, from a given number on. */
import { lookMs } from '../../../engine/feed/lookout.ts'
import { runEnd } from '../../../engine/feed/output.ts'
import { type Positions, wordsPlace } from '../../../engine/feed/positions.ts'
import { itemsOfRun, type RunItems, runPlace } from '../../../engine/shown/runs.ts'
import { failureJson } from '../../../failures/words.ts'
import { fail, type Result } from '../../../model/failure.ts'
import type { Display } from '../display.ts'
import type { Following, Part, Placed } from './part.ts'

const mostItems = 200

export function wordsPart(
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
