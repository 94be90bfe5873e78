/**
 * Sources: what happens, in bounded pieces, for a reader that may be slow. The next piece is read when the reader
 * asks for it, so a slow one costs one piece of memory; every piece says where to go on after it. Output of a run
 * is beside it (engine/feed/output).
 */
import type { Failure } from '../../model/failure.ts'
import type { Recorded } from '../../model/loop/event.ts'
import type { Store } from '../../store/contract.ts'
import type { Feed } from '../feed.ts'

/** The next items in order, as soon as there are some; empty as a sign of life after a while; null at the end. */
export type Source<T> = (signal: AbortSignal) => Promise<T[] | null>

/** Whose journals these are, and the feed over the same connection. */
export type Followed = { store: Store; feed: Feed }

const beatMs = 15_000
const mostEvents = 200

/** Asks `look` after every change of the store, and at least every `everyMs`, until it finds something. */
export function sourceOf<T>(feed: Feed, look: () => T[] | null, everyMs = beatMs): Source<T> {
  return async signal => {
    const beat = performance.now() + beatMs
    for (;;) {
      const version = feed.version()
      const found = look()
      if (found === null || found.length > 0) return found
      if (signal.aborted) return null
      const left = beat - performance.now()
      if (left <= 0) return []
      await feed.changed(version, { signal, withinMs: Math.min(everyMs, left) })
    }
  }
}

/** Every event of a journal after the number `after`; a failure is the last item. */
export function eventsAfter(
  { store, feed }: Followed,
  journal: string,
  after: number,
): Source<Recorded | Failure> {
  let seen = after
  let damaged = false
  return sourceOf<Recorded | Failure>(feed, () => {
    if (damaged) return null
    const events = store.journals.readAfter(journal, seen, mostEvents)
    damaged = !events.ok
    if (!events.ok) return [events.failure]
    seen = events.value.at(-1)?.seq ?? seen
    return events.value
  })
}

/** First the journals that are open now, then those of them that have changed, with what was opened since. */
export function changesOf({ store, feed }: Followed): Source<string[]> {
  let known: Map<string, number> | null = null
  let revision = 0
  return sourceOf(feed, () => {
    const rows = known ? store.changes.after(revision) : []
    if (known && rows.length === 0) return []
    revision = known ? (rows.at(-1)?.rev ?? revision) : store.changes.revision()
    const before = known ?? new Map()
    const open = new Map(store.heads.open().map(({ id, seq }) => [id, seq]))
    const changed = [...open].filter(([id, seq]) => before.get(id) !== seq).map(([id]) => id)
    const gone = [...before.keys()].filter(id => !open.has(id))
    const isFirst = known === null
    known = open
    return isFirst || changed.length + gone.length > 0 ? [[...changed, ...gone]] : []
  })
}
