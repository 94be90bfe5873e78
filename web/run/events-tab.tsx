/** All events, newest first: the time, the words, and the facts as they are in the journal. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { begin, evolve } from '../../src/core/loop/evolve.ts'
import type { State } from '../../src/core/loop/state.ts'
import type { Recorded } from '../../src/model/loop/event.ts'
import { announce } from '../../src/views/text/announce.ts'
import type { Journal } from '../base/journal.ts'
import { Empty } from '../parts/note.tsx'
import { EventRow } from './event-row.tsx'

type Said = { event: Recorded; words: string }

const most = 200

export function EventsTab({ journal }: { journal: Journal }): JSX.Element {
  const said = useMemo(() => saidOf(journal.events), [journal.events])
  const [shown, setShown] = useState(most)
  if (said.length === 0) return <Empty title="Nothing has happened yet" />
  return (
    <div class="stack">
      <ol class="card events" aria-label="Events, newest first">
        {said.slice(0, shown).map(one => (
          <EventRow key={one.event.seq} event={one.event} words={one.words} />
        ))}
      </ol>
      {said.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + 1_000)}>
          Show more of {said.length} events
        </button>
      )}
    </div>
  )
}

/** Newest first, each with the words that a terminal shows for it. */
function saidOf(events: readonly Recorded[]): Said[] {
  const said: Said[] = []
  let before: State | null = null
  for (const event of events) {
    const state: State = before ? evolve(before, event) : begin(event)
    const [first = ''] = announce(event, state, before)
    said.unshift({ event, words: first.trim() })
    before = state
  }
  return said
}
