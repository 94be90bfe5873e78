/** Whether a living process hosts a loop that needs one. */
import { type Brief, needsHost } from '../../core/loop/summary.ts'
import type { Store } from '../../store/contract.ts'
import type { Shown } from '../../views/text/status.ts'

export type HostOf = ReturnType<Store['leases']['finder']>

/** An active loop without a living host is orphaned: it waits for somebody to resume it. One that is queued needs none. */
export function shown<T extends Brief>(
  store: Store,
  summary: T,
  hostOf: HostOf = store.leases.finder(),
): Shown<T> {
  const { id, status } = summary
  // Asked again last: its host may have come to the end of it since, and left.
  return { summary, orphaned: needsHost(summary) && hostOf(id) === null && store.heads.status(id) === status }
}
