/** One group as somebody watches it: its state, its row, and its members with their hosts. */
import { beginGroup, evolveGroup } from '../../core/group/evolve.ts'
import type { GroupState } from '../../core/group/state.ts'
import { type GroupSummary, isGroup, summarizeGroup } from '../../core/group/summary.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import type { Store } from '../../store/contract.ts'
import type { Shown } from '../../views/text/status.ts'
import { shownWhole } from '../shown/detail.ts'

export type WatchedGroup = { shown: Shown; summary: GroupSummary; state: GroupState }

/** Each call reads only new events. */
export function watchedGroup(id: string): (store: Store) => Result<WatchedGroup> {
  let state: GroupState | null = null
  return store => {
    const more = store.journals.readAfter(id, state?.seq ?? 0)
    if (!more.ok) return more
    for (const event of more.value as unknown as GroupRecorded[])
      state = state === null ? beginGroup(event) : evolveGroup(state, event)
    if (state === null) return fail('store-damaged', { kind: 'group-unreadable', id })
    const shown = shownWhole(store, summarizeGroup(state))
    const { summary } = shown
    if (!isGroup(summary)) throw new Error(`Internal error: ${id} is no group`)
    return ok({ shown, summary, state })
  }
}
