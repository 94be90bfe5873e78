/**
 * Events before the store sees them: validated by their machine and put into envelopes. Their numbers follow from
 * what the writer knows, so the summary can be made before the append.
 */
import type { Kinds, Machine } from '../core/machine.ts'
import type { Envelope } from '../model/envelope.ts'
import { eventVersion } from '../model/version.ts'

/** `after`: the number of the last event that the writer knows. Throws if a value is not an event, which is a bug. */
export function inEnvelopes<K extends Kinds>(
  machine: Pick<Machine<K>, 'parseEvent'>,
  events: readonly K['event'][],
  { after, ...of }: Omit<Envelope, 'v' | 'seq'> & { after: number },
): (K['event'] & Envelope)[] {
  return events.map((body, i) => ({
    v: eventVersion,
    seq: after + 1 + i,
    ...of,
    ...machine.parseEvent(body),
  }))
}
