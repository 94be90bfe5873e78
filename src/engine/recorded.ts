/**
 * Events as they are recorded: validated by the schema of their machine and put into envelopes, before the store sees
 * them. Their numbers follow from what the writer knows, so the summary can be made before the append too.
 */
import type { Envelope } from '../model/envelope.ts'
import { type Event, event as eventSchema, type Recorded } from '../model/loop/event.ts'
import { eventVersion } from '../model/version.ts'

/** `after`: the number of the last event the writer knows. Throws where something is no event: a bug. */
export function inEnvelopes(
  events: readonly Event[],
  { after, ...of }: Omit<Envelope, 'v' | 'seq'> & { after: number },
): Recorded[] {
  return events.map((body, i) => ({
    v: eventVersion,
    seq: after + 1 + i,
    ...of,
    ...eventSchema.parse(body),
  }))
}
