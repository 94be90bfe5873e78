/**
 * The feed: the only way to follow journals. There is one for each store connection of a process. What this process
 * records is published at once; what others write is found by one look for everybody who waits (engine/feed/lookout).
 * Sources that are read piece by piece, as fast as their reader takes them: engine/feed/source and output.
 */
import type { LoopKinds } from '../core/loop/machine.ts'
import type { Kinds } from '../core/machine.ts'
import type { Envelope } from '../model/envelope.ts'
import type { Store } from '../store/contract.ts'
import { type Clock, type Lookout, lookoutOver } from './feed/lookout.ts'

/** A durable event. `state` is the state after it, `before` the one before it: null in a journal that is new. */
export type Told<K extends Kinds = LoopKinds> = {
  /** Of its machine. */
  kind: string
  event: K['event'] & Envelope
  state: K['state']
  before: K['state'] | null
}

/** Must not throw: the event is recorded, and whoever drives the journal has to go on. */
type Listener = (told: Told) => void

export type Feed = Lookout & {
  /** Called by whoever has recorded it, once it is durable. */
  publish<K extends Kinds>(told: Told<K>): void
  /**
   * Hears what this process records in one journal (null: in all loops; `of`: in all of that kind), in the order of
   * subscription; returns its end.
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
