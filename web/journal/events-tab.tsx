/** Everything that happened, newest first: when, what in the words of a terminal, and the facts of the journal. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { EventRow, type ShownEvent } from './event-row.tsx'

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
