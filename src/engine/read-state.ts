/** Reads the state of a journal of one kind, without hosting it. */

import { folds, type JournalKind, journalKind, type KindsOf, known } from '../core/folds.ts'
import { type Fold, replay } from '../core/machine.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Store } from '../store/contract.ts'
import { unknownLoop } from '../store/failures.ts'

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
