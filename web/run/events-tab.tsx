/** Everything that happened, newest first: when, what in words, and the facts as they are in the journal. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { begin, evolve } from '../../src/core/loop/evolve.ts'
import type { State } from '../../src/core/loop/state.ts'
import type { Recorded } from '../../src/model/loop/event.ts'
import { announce } from '../../src/views/text/announce.ts'
import type { Journal } from '../base/journal.ts'
import { EventRow, type ShownEvent } from './event-row.tsx'

export function LoopEvents({ journal }: { journal: Journal }): JSX.Element {
  const said = useMemo(() => saidOf(journal.events), [journal.events])
  return <EventsTab said={said} />
}

/** Each with the words that a terminal would say. */
function saidOf(events: readonly Recorded[]): Said[] {
  let before: State | null = null
  return events.map(event => {
    const state: State = before ? evolve(before, event) : begin(event)
    const [words = ''] = announce(event, state, before)
    before = state
    return { event, words }
  })
}

/** An event, and what is said about it. */
export type Said = { event: ShownEvent; words: string }

const most = 200

/** `said`: in the order in which it happened. */
export function EventsTab({ said }: { said: readonly Said[] }): JSX.Element {
  const [shown, setShown] = useState(most)
  return (
    <div class="stack">
      <ol class="card events" aria-label="Events, newest first">
        {said
          .slice(-shown)
          .toReversed()
          .map(({ event, words }) => (
            <EventRow key={event.seq} event={event} words={words.trim()} />
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
