/**
 * A part of the state of a loop: its initial value, and one function for each kind of event that changes it.
 * The table is the declaration: for any other kind the part stays the same object. A function sees the part and
 * the whole state as they were before the event, so the order of the parts does not matter.
 */
import type { Event, Recorded } from '../../../model/loop/event.ts'
import type { Spec } from '../../../model/loop/spec.ts'
import type { State } from '../state.ts'

export type EventKind = Event['kind']
export type RecordedOf<K extends EventKind> = Extract<Recorded, { kind: K }>

/** The fields that change; null if there are none. */
type Change<P> = Partial<P> | null
export type On<P> = {
  readonly [K in EventKind]?: (now: P, event: RecordedOf<K>, before: State) => Change<P>
}

export function part<P extends object, T extends On<P>, B = Spec>(begin: (from: B) => P, on: T) {
  const lines = new Map<string, unknown>(Object.entries(on))
  function evolve(now: P, event: Recorded, before: State): P {
    // The table pairs each kind with its own event type; a lookup by name loses that pairing.
    const line = lines.get(event.kind) as ((...given: unknown[]) => Change<P>) | undefined
    const change = line?.(now, event, before) ?? null
    // Not two spreads: across all parts they would make a fold slower by a third.
    return change ? Object.assign({}, now, change) : now
  }
  return { begin, on, evolve }
}

/**
 * Whether the loop rests until a panel has advised it. It goes on by itself then: no person has looked at it, so
 * nothing of its tree is accepted, and no count starts again.
 */
export function isBeingAdvised({ turn }: State): boolean {
  return turn.hold?.reason === 'advice-wanted'
}

/** The fields that a part resets when the loop is resumed by a person, or restarted by loopd. */
export function onResume<P>(forget: (now: P, before: State) => Change<P>) {
  return {
    'loop.resumed': (now: P, _: RecordedOf<'loop.resumed'>, before: State) =>
      isBeingAdvised(before) ? null : forget(now, before),
    'loop.queued': (now: P, { data }: RecordedOf<'loop.queued'>, before: State) =>
      data.restart ? forget(now, before) : null,
  }
}
