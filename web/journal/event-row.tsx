/** One event of a journal: its time, its kind, its words, and, once opened, its facts. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

export type ShownEvent = { seq: number; at: number; kind: string; data: unknown }

export function EventRow({ event, words }: { event: ShownEvent; words: string }): JSX.Element {
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
