/**
 * A machine with its hands: the rules of a kind of journal (core/machine), what its steps do (engine/perform/<kind>)
 * and what it keeps up to date in files (engine/project/<kind>). `machines` of the world is the one registry.
 */
import { journalKind, known } from '../core/folds.ts'
import type { GroupKinds } from '../core/group/machine.ts'
import type { LoopKinds } from '../core/loop/machine.ts'
import type { Kinds, Machine } from '../core/machine.ts'
import type { Envelope } from '../model/envelope.ts'
import { fail, ok, type Result } from '../model/failure.ts'
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
export type Machines = { loop: Running<LoopKinds>; group: Running<GroupKinds> } & Record<
  string,
  Running<Kinds>
>

/** The machine of a journal; a newer version of loop may have written one of a kind that this one does not know. */
export function machineFor({ machines }: World, id: string, first: { kind: string }): Result<Running<Kinds>> {
  const machine = known(machines, journalKind(first))
  if (machine) return ok(machine)
  return fail('newer-journal', `Loop ${id} was written by a newer loop. Update loop.`)
}
