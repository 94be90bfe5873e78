/**
 * A machine with its effects: the rules of a kind of journal (core/machine), what its steps do
 * (engine/perform/<kind>) and the files it keeps up to date (engine/project/<kind>). `machines` of the world is the
 * only registry. And the state of a journal of one kind, read without hosting it.
 */
import { folds, type JournalKind, journalKind, type KindsOf, known } from '../core/folds.ts'
import { type Fold, type Kinds, type Machine, replay } from '../core/machine.ts'
import type { Envelope } from '../model/envelope.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Store } from '../store/contract.ts'
import { unknownLoop } from '../store/failures.ts'
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

export function readState<N extends JournalKind>(
  store: Store,
  id: string,
  of: N,
): Result<KindsOf[N]['state']> {
  const events = store.journals.read(id)
  if (!events.ok) return events
  const [first] = events.value
  if (!first) return unknownLoop(id)
  const is = journalKind(first)
  if (!known(folds, is)) return fail('newer-journal', { kind: 'newer-journal', id })
  if (is !== of) return otherKind(id, of, is)
  return ok(replay(folds[of] as unknown as Fold<KindsOf[N]>, events.value))
}

/** The refusal where a journal of one kind is meant. */
export function otherKind(id: string, of: JournalKind, is: string): Result<never> {
  const facts = { loop: { kind: 'not-a-loop', id, is }, group: { kind: 'not-a-group', id, is } } as const
  return fail('not-allowed', facts[of])
}
