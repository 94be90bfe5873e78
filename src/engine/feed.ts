/**
 * The feed: the only way to follow journals, one per store connection of a process. Events of this process are
 * published at once; those of other processes are found by one poll on behalf of all waiting callers
 * (engine/feed/lookout). Sources that are read in pieces at the reader's pace: engine/feed/source and output.
 */
import type { LoopKinds } from '../core/loop/machine.ts'
import type { Kinds } from '../core/machine.ts'
import type { Envelope } from '../model/envelope.ts'
import type { Store } from '../store/contract.ts'
import { type Clock, type Lookout, lookoutOver } from './feed/lookout.ts'

/** A durable event with the states after and before it; `before` is null for a new journal. */
export type Told<K extends Kinds = LoopKinds> = {
  /** The name of the journal's machine. */
  kind: string
  event: K['event'] & Envelope
  state: K['state']
  before: K['state'] | null
}

/** Must not throw: the event is already recorded, and the journal's driver has to continue. */
type Listener = (told: Told) => void

export type Feed = Lookout & {
  /** Called after an event is durable, by the code that recorded it. */
  publish<K extends Kinds>(told: Told<K>): void
  /**
   * Subscribes to the events that this process records in one journal (null: in all loops; `of`: in all journals of
   * that kind), in the order of subscription. Returns the function that ends it.
   */
  subscribe(journal: string | null | { of: string }, listener: Listener): () => void
}

export function feedOf(store: Store, clock: Clock = { now: Date.now }): Feed {
  const listeners = new Set<{ journal: Parameters<Feed['subscribe']>[0]; listener: Listener }>()
  return {
    ...lookoutOver(store, clock),
    publish(told) {
      for (const { journal, listener } of listeners)
        if (typeof journal === 'string' ? journal === told.event.loop : told.kind === (journal?.of ?? 'loop'))
          listener(told as unknown as Told)
    },
    subscribe(journal, listener) {
      const one = { journal, listener }
      listeners.add(one)
      return () => void listeners.delete(one)
    },
  }
}
