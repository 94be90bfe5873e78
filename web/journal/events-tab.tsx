/** Everything that happened, newest first: when, what in the words of a terminal, and the facts of the journal. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Fold, Kinds } from '../../src/core/machine.ts'
import type { Journal } from '../base/journal.ts'
import type { PageOf } from './journal-page.tsx'

type Props = { journal: Journal; fold: Fold<Kinds>; announce: PageOf<Kinds>['announce'] }

const most = 200

export function EventsTab({ journal: { events }, fold, announce }: Props): JSX.Element {
  const said = useMemo(() => saidOf(events, fold, announce), [events])
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

type Said = { event: Journal['events'][number]; words: string }

/** In the order in which it happened. */
function saidOf(events: Journal['events'], fold: Fold<Kinds>, announce: Props['announce']): Said[] {
  let before: Kinds['state'] | null = null
  return events.map(event => {
    const state: Kinds['state'] = before ? fold.evolve(before, event) : fold.begin(event)
    const [words = ''] = announce(event, state, before)
    before = state
    return { event, words }
  })
}

/** Once opened, it shows the facts. */
function EventRow({ event, words }: Said): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const when = new Date(event.at)
  return (
    <li class="event">
      <button type="button" class="event-line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <time class="num small quiet" dateTime={when.toISOString()} title={when.toLocaleString()}>
          {when.toLocaleTimeString()}
        </time>
        <code class="event-kind">{event.kind}</code>
        <span class="clip grow quiet">{words}</span>
        <span class="num small tone-quiet">{event.seq}</span>
      </button>
      {isOpen && (
        <pre class="printed" tabIndex={0} aria-label={`Event ${event.seq}`}>
          {JSON.stringify(event.data, null, 2)}
        </pre>
      )}
    </li>
  )
}
