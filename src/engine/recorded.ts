/**
 * Events before the store sees them: validated by their machine, given the words of their facts and put into
 * envelopes. Their numbers follow from what the writer knows, so the summary can be made before the append.
 */
import type { Kinds, Machine } from '../core/machine.ts'
import type { Facts } from '../failures/all.ts'
import { factWords } from '../failures/words.ts'
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
    ...worded(machine.parseEvent(body)),
  }))
}

/**
 * Core records facts. Their sentence is recorded beside them: for summary rows, and for a loop of another version
 * that does not know the kind.
 */
function worded<E extends Kinds['event']>(event: E): E {
  const { facts } = event.data as { facts?: Facts }
  const name = event.kind === 'node.reopened' ? 'because' : 'why'
  if (!facts || name in event.data) return event
  return { ...event, data: { ...event.data, [name]: factWords(facts) } }
}

/** The same for an event that the engine itself makes. */
export function inWords(facts: Facts): { facts: Facts; why: string } {
  return { facts, why: factWords(facts) }
}
