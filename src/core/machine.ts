/**
 * The type of a machine: the rules of one kind of journal, pure and total. The code that drives, stores, asks
 * or follows a journal depends on this type and on no kind. A kind is a name, its events and commands, and
 * these functions (core/loop/machine, core/group/machine). The envelope of an event, a refused command and a
 * failed step are the same for every kind.
 */

import type { RefusalFacts } from '../failures/refusal.ts'
import type { Envelope } from '../model/envelope.ts'
import type { Head } from './head.ts'

/** The types of one machine. */
export type Kinds = {
  event: { kind: string; data: object }
  command: { kind: string }
  state: { id: string; seq: number }
  step: { kind: string }
  /** The part that the store keeps beside the events: a head and the body of the kind. */
  summary: Head
}

/** The answer to a command: admitted with these events, or refused because of these facts. */
type Admitted<E> = { ok: true; events: E[] } | { ok: false; because: RefusalFacts }

/**
 * The next step of a journal. `steps` is the complete set that should be under way: a missing step is started,
 * and a running step that is not in the set is aborted. Steps are compared as data.
 */
type Next<K extends Kinds> =
  | { do: 'record'; event: K['event']; steps?: K['step'][] }
  | { do: 'steps'; steps: K['step'][] }
  | { do: 'wait'; until: number }
  | { do: 'rest' }

export type Machine<K extends Kinds> = {
  kind: string
  /** Throws if the value is not an event of this kind, which would be a bug. */
  parseEvent(body: K['event']): K['event']
  /** Null if the value is not a command of this kind, or is one of a newer version. */
  parseCommand(value: unknown): K['command'] | null
  begin(event: K['event'] & Envelope): K['state']
  evolve(state: K['state'], event: K['event'] & Envelope): K['state']
  /** `epoch`: that of the host that asks. An earlier host knew what it saw of the world; this one may not. */
  decide(state: K['state'], now: number, epoch: number): Next<K>
  /** Total: an unknown command is refused. */
  admit(state: K['state'], command: K['command']): Admitted<K['event']>
  summarize(state: K['state']): K['summary']
  /**
   * Whether a host that is about to leave may leave the journal now: nothing is half done, and the steps
   * `underWay` can be aborted and started again by the next host.
   */
  mayLeave(state: K['state'], underWay: readonly K['step'][]): boolean
}

/** The part of a machine that makes a summary from events. */
export type Fold<K extends Kinds> = Pick<Machine<K>, 'begin' | 'evolve' | 'summarize'>

/** The state after all events of a journal. */
export function replay<K extends Kinds>(
  { begin, evolve }: Omit<Fold<K>, 'summarize'>,
  [first, ...rest]: readonly (K['event'] & Envelope)[],
): K['state'] {
  if (!first) throw new Error('Internal error: an empty journal has no state')
  return rest.reduce((state, event) => evolve(state, event), begin(first))
}

/** An event with the states after and before it; `before` is null for the first one. */
export type Replayed<K extends Kinds> = {
  event: K['event'] & Envelope
  state: K['state']
  before: K['state'] | null
}

/** The events of a journal, one after the other. */
export function* replayed<K extends Kinds>(
  { begin, evolve }: Omit<Fold<K>, 'summarize'>,
  events: Iterable<K['event'] & Envelope>,
): Generator<Replayed<K>> {
  let before: K['state'] | null = null
  for (const event of events) {
    const state: K['state'] = before === null ? begin(event) : evolve(before, event)
    yield { event, state, before }
    before = state
  }
}
