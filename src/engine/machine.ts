/**
 * A machine with its effects: the rules of a kind of journal (core/machine), what its steps do
 * (engine/perform/<kind>) and the files it keeps up to date (engine/project/<kind>). `machines` of the world is the
 * only registry.
 */
import { type JournalKind, journalKind, type KindsOf, known } from '../core/folds.ts'
import type { Kinds, Machine } from '../core/machine.ts'
import type { Envelope } from '../model/envelope.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { World } from './world.ts'

/** The input of a step: the state on which it was decided, and a signal that aborts it. */
export type StepTask<K extends Kinds> = { world: World; state: K['state']; signal: AbortSignal }

export type Running<K extends Kinds> = Machine<K> & {
  /** Does a step; the queue appends the returned events. An aborted step returns none and leaves nothing running. */
  perform(step: K['step'], task: StepTask<K>): Promise<K['event'][]>
  /** Shows the state of the journal outside the store. Must not throw. */
  project(event: K['event'] & Envelope, state: K['state'], now: number): void
}

/** By the name of the kind, which is the prefix of the journal's first event. */
export type Machines = { [N in JournalKind]: Running<KindsOf[N]> } & Record<string, Running<Kinds>>

/** The machine of a journal; a newer version of loop can have written a kind that this one does not know. */
export function machineFor({ machines }: World, id: string, first: { kind: string }): Result<Running<Kinds>> {
  const machine = known(machines, journalKind(first))
  if (machine) return ok(machine)
  return fail('newer-journal', { kind: 'newer-journal', id })
}
