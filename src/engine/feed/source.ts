/**
 * Sources: events in bounded pieces for a reader that can be slow. The next piece is read when the reader asks for
 * it, so a slow reader costs one piece of memory; every piece says where the next one starts. The output of a run:
 * engine/feed/output.
 */
import type { Failure } from '../../model/failure.ts'
import type { Recorded } from '../../model/loop/event.ts'
import type { Store } from '../../store/contract.ts'
import type { Feed } from '../feed.ts'

/**
 * Resolves with the next items as soon as there are some; with an empty list as a sign of life after a while; with
 * null at the end.
 */
export type Source<T> = (signal: AbortSignal) => Promise<T[] | null>

/** The store of the journals, and the feed over the same connection. */
export type Followed = { store: Store; feed: Feed }

const beatMs = 15_000
const mostEvents = 200

/** Calls `look` after every change of the store, and at least every `everyMs`, until it finds something. */
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

/** Every event of a journal after number `after`; a failure is the last item. */
export function eventsAfter(
  { store, feed }: Followed,
  journal: string,
  after: number,
): Source<Recorded | Failure> {
  return sourceOf<Recorded | Failure>(feed, eventLook(store, journal, after))
}

/** The same as a single look: new events, at most one piece; null after a failure. */
export function eventLook(
  { journals }: Pick<Store, 'journals'>,
  journal: string,
  after: number,
): () => (Recorded | Failure)[] | null {
  let seen = after
  let damaged = false
  return () => {
    if (damaged) return null
    const events = journals.readAfter(journal, seen, mostEvents)
    damaged = !events.ok
    if (!events.ok) return [events.failure]
    seen = events.value.at(-1)?.seq ?? seen
    return events.value
  }
}

/** First the open journals, then each time those that have changed, including new ones. */
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
