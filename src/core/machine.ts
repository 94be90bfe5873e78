/**
 * What a journal can be: a machine is the rules of one kind of journal, pure and total. Whoever drives, stores, asks
 * or follows a journal knows this type and no kind. There is `loop` (core/loop/machine); a kind is its name, its
 * events and commands, and these functions. The envelope of an event (number, time, epoch, cause), a refused command
 * and a failed step are the same for every kind.
 */
import type { Envelope } from '../model/envelope.ts'
import type { Head } from './head.ts'

/** The types of one machine. */
export type Kinds = {
  event: { kind: string; data: object }
  command: { kind: string }
  state: { id: string; seq: number }
  step: { kind: string }
  /** What the store keeps of it beside its events: a head, and what only its kind knows. */
  summary: Head
}

/** Admitted, as these facts; or refused, in words. */
type Admitted<E> = { ok: true; events: E[] } | { ok: false; why: string }

/**
 * What is to happen next. `steps` is the whole set that should be under way: what is missing is started, what is
 * under way and not in the set is aborted. Two steps are the same if they are equal as data.
 */
type Next<K extends Kinds> =
  | { do: 'record'; event: K['event']; steps?: K['step'][] }
  | { do: 'steps'; steps: K['step'][] }
  | { do: 'wait'; until: number }
  | { do: 'rest' }

export type Machine<K extends Kinds> = {
  kind: string
  /** Throws for what is not an event of this kind: that would be a bug of ours. */
  parseEvent(body: K['event']): K['event']
  /** Null for what is not a command of this kind, or of a newer version. */
  parseCommand(value: unknown): K['command'] | null
  begin(event: K['event'] & Envelope): K['state']
  evolve(state: K['state'], event: K['event'] & Envelope): K['state']
  decide(state: K['state'], now: number): Next<K>
  /** Total: a command of a kind that it does not know is refused. */
  admit(state: K['state'], command: K['command']): Admitted<K['event']>
  summarize(state: K['state']): K['summary']
  /**
   * Whether a host that is to leave may leave it now: nothing it began is half done, and what is `underWay` may be
   * aborted and begun again by the next host.
   */
  mayLeave(state: K['state'], underWay: readonly K['step'][]): boolean
}

/** As much of a machine as makes the summary of a journal from its events. */
export type Fold<K extends Kinds> = Pick<Machine<K>, 'begin' | 'evolve' | 'summarize'>

/** The state after all events of a journal. */
export function replay<K extends Kinds>(
  { begin, evolve }: Omit<Fold<K>, 'summarize'>,
  [first, ...rest]: readonly (K['event'] & Envelope)[],
): K['state'] {
  if (!first) throw new Error('Internal error: an empty journal has no state')
  return rest.reduce((state, event) => evolve(state, event), begin(first))
}
