/** Reads the state of a group from its journal, without hosting it. */

import { beginGroup, evolveGroup } from '../core/group/evolve.ts'
import type { GroupKinds } from '../core/group/machine.ts'
import type { GroupState } from '../core/group/state.ts'
import { replay } from '../core/machine.ts'
import { ok, type Result } from '../model/failure.ts'
import type { GroupRecorded } from '../model/group/event.ts'
import type { Store } from '../store/contract.ts'

export function readGroup(store: Store, id: string): Result<GroupState> {
  const events = store.journals.read(id)
  if (!events.ok) return events
  const recorded = events.value as unknown as GroupRecorded[]
  return ok(replay<GroupKinds>({ begin: beginGroup, evolve: evolveGroup }, recorded))
}
