/**
 * A machine with its hands: the rules of a kind of journal (core/machine), what its steps do (engine/perform/<kind>)
 * and what it keeps up to date in files (engine/project/<kind>). `machines` of the world is the one registry.
 */
import type { Kinds, Machine } from '../core/machine.ts'
import type { Envelope } from '../model/envelope.ts'
import type { World } from './world.ts'

/** What a step gets: the state it was decided on, and a signal that says it is not wanted any more. */
export type StepTask<K extends Kinds> = { world: World; state: K['state']; signal: AbortSignal }

export type Running<K extends Kinds> = Machine<K> & {
  /** Does a step; the queue appends the events it returns. Aborted, it returns none and leaves nothing running. */
  perform(step: K['step'], task: StepTask<K>): Promise<K['event'][]>
  /** Shows outside the store where the journal stands. Must not throw. */
  project(event: K['event'] & Envelope, state: K['state'], now: number): void
}

/** By the name of the kind, which is how the first event of a journal begins. */
export type Machines = Record<string, Running<Kinds>>

export function machineFor(world: World, first: { kind: string } | undefined): Running<Kinds> {
  const machine = world.machines[first?.kind.split('.')[0] ?? '']
  if (!machine) throw new Error(`Internal error: no machine for a journal that begins with ${first?.kind}`)
  return machine
}
