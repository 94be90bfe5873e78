/**
 * A journal on the page: its events, fetched once and then followed, and the state that core folds from them.
 * Components that show the same loop share one copy; it is released when no component uses it.
 */
import { useEffect, useMemo } from 'preact/hooks'
import { type Folds, folds, type JournalKind, journalKind, known } from '../../src/core/folds.ts'
import type { Kinds } from '../../src/core/machine.ts'
import type { Recorded } from '../../src/model/loop/event.ts'
import { askLoopd } from './api.ts'
import { type Cell, cell, useCell } from './cell.ts'
import { followFeed } from './feed.ts'

/** `kind` and `state` are null until the first event is known. */
export type Journal<E = Recorded> = {
  events: readonly E[]
  kind: JournalKind | null
  state: Kinds['state'] | null
  isWhole: boolean
  failure: string | null
}

const nothing: Journal = { events: [], kind: null, state: null, isWhole: false, failure: null }

type Entry = { key: string; journal: Cell<Journal>; users: number; stop(): void }

const open = new Map<string, Entry>()

/** `isFollowed` is false for a journal that no longer changes, such as that of an ended loop. */
export function useJournal(id: string, isFollowed = true): Journal {
  const entry = useMemo(() => entryOf(id, isFollowed), [id, isFollowed])
  useEffect(() => {
    entry.users += 1
    return () => {
      entry.users -= 1
      // With a delay: the next page often shows the same loop.
      window.setTimeout(release, 2_000, entry)
    }
  }, [entry])
  return useCell(entry.journal)
}

function release(entry: Entry): void {
  if (entry.users > 0 || open.get(entry.key) !== entry) return
  entry.stop()
  open.delete(entry.key)
}

function entryOf(id: string, isFollowed: boolean): Entry {
  const key = isFollowed ? id : `${id} as it is`
  const shared = open.get(key)
  if (shared) return shared
  const journal = cell<Journal>(nothing)
  const stopped = new AbortController()
  const entry: Entry = { key, journal, users: 0, stop: () => stopped.abort() }
  open.set(key, entry)
  load(id, journal, stopped.signal).then(
    isWhole => isWhole && isFollowed && follow(id, journal, stopped.signal),
    (error: unknown) => journal.update(now => ({ ...now, failure: String(error) })),
  )
  return entry
}

/** True once the whole journal is loaded. */
async function load(id: string, journal: Cell<Journal>, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const after = String(journal.get().events.at(-1)?.seq ?? 0)
    const got = await askLoopd('events', { params: { id }, query: { after } }, signal)
    if (signal.aborted) return false
    if (!got.ok) {
      journal.update(now => ({ ...now, failure: got.message }))
      if (got.reason !== 'no-daemon') return false
      await new Promise(resolve => setTimeout(resolve, 1_000))
      continue
    }
    const { events, last } = got.value
    journal.update(now => withMore({ ...now, failure: null }, events as unknown as Recorded[]))
    if (events.length === 0 || (journal.get().events.at(-1)?.seq ?? 0) >= last) break
  }
  journal.update(now => ({ ...now, isWhole: true }))
  return true
}

function follow(id: string, journal: Cell<Journal>, signal: AbortSignal): void {
  const stop = followFeed({
    part: 'journals',
    position: () => `${id}:${journal.get().events.at(-1)?.seq ?? 0}`,
    hear(event, data: Recorded & { loop: string; error?: { message: string } }) {
      if (data.loop !== id) return
      if (event === 'event') journal.update(now => withMore(now, [data]))
      if (event === 'failure')
        journal.update(now => ({ ...now, failure: data.error?.message ?? 'It cannot be read.' }))
    },
  })
  signal.addEventListener('abort', stop)
}

/** Events that are known already are ignored. */
function withMore(now: Journal, more: readonly Recorded[]): Journal {
  const last = now.events.at(-1)?.seq ?? 0
  const fresh = more.filter(({ seq }) => seq > last)
  if (fresh.length === 0) return now
  const events = [...now.events, ...fresh]
  const kind = journalKind(events[0])
  const fold = known<Folds[string]>(folds, kind)
  if (!fold) return { ...now, events, failure: `It is a ${kind} of a newer loop.` }
  let { state } = now
  for (const event of fresh) state = state ? fold.evolve(state, event) : fold.begin(event)
  return { ...now, events, kind: kind as JournalKind, state }
}
