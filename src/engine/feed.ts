/**
 * The feed: the only way to follow journals, one per store connection of a process. Events of this process are
 * published at once; those of other processes are found by one poll on behalf of all waiting callers
 * (engine/feed/lookout). Sources that are read in pieces at the reader's pace: engine/feed/source and output.
 */
import type { JournalKind, KindsOf } from '../core/folds.ts'
import type { LoopKinds } from '../core/loop/machine.ts'
import type { Kinds, Replayed } from '../core/machine.ts'
import type { Store } from '../store/contract.ts'
import { type Clock, type Lookout, lookoutOver } from './feed/lookout.ts'

/** A durable event; `kind` is the name of the journal's machine. */
export type Told<K extends Kinds = LoopKinds> = Replayed<K> & { kind: string }

/** Must not throw: the event is already recorded, and the journal's driver has to continue. */
type Listener<K extends Kinds> = (told: Told<K>) => void

type Followed<N extends JournalKind> = string | { of: N }

export type Feed = Lookout & {
  /** Called after an event is durable, by the code that recorded it. */
  publish<K extends Kinds>(told: Told<K>): void
  /**
   * Subscribes to the events that this process records in one journal, or in all journals of one kind, in the order of
   * subscription. Returns the function that ends it.
   */
  subscribe<N extends JournalKind = JournalKind>(
    journal: Followed<N>,
    listener: Listener<KindsOf[N]>,
  ): () => void
}

export function feedOf(store: Store, clock: Clock = { now: Date.now }): Feed {
  const listeners = new Set<{ journal: Followed<JournalKind>; listener: Listener<Kinds> }>()
  return {
    ...lookoutOver(store, clock),
    publish(told) {
      for (const { journal, listener } of listeners)
        if (typeof journal === 'string' ? journal === told.event.loop : journal.of === told.kind)
          listener(told)
    },
    subscribe(journal, listener) {
      const one = { journal, listener: listener as Listener<Kinds> }
      listeners.add(one)
      return () => void listeners.delete(one)
    },
  }
}
