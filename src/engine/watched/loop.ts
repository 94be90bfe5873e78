/** One loop as somebody watches it: its journal is folded while it grows, with its row and host. */
import { begin, evolve } from '../../core/loop/evolve.ts'
import { history, type Iteration } from '../../core/loop/history.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Recorded } from '../../model/loop/event.ts'
import type { Store } from '../../store/contract.ts'
import type { Shown } from '../../views/text/status.ts'
import { shownWhole } from '../shown/detail.ts'

export type Watched = {
  shown: Shown
  state: State
  events: readonly Recorded[]
  iterations: readonly Iteration[]
}

/** Each call reads only new events; `store` can be another connection than before. */
export function watchedLoop(id: string): (store: Store) => Result<Watched> {
  const events: Recorded[] = []
  let state: State | null = null
  let iterations: Iteration[] = []
  return store => {
    const more = store.journals.readAfter(id, events.at(-1)?.seq ?? 0)
    if (!more.ok) return more
    for (const event of more.value) {
      state = state === null ? begin(event) : evolve(state, event)
      events.push(event)
    }
    if (state === null) return fail('store-damaged', { kind: 'loop-without-journal', id })
    if (more.value.length > 0) iterations = history(events)
    return ok({ shown: shownWhole(store, summarize(state)), state, events, iterations })
  }
}
