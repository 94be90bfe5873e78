/** Whether a living process hosts a loop that needs one. */
import type { Head } from '../../core/head.ts'
import { type Brief, needsHost } from '../../core/loop/summary.ts'
import type { Store } from '../../store/contract.ts'
import type { Shown } from '../../views/text/status.ts'

export type HostOf = ReturnType<Store['leases']['finder']>

/**
 * An active loop without a living host is orphaned, and so is one whose hook was cut off: it waits for somebody to
 * resume it. One that is queued needs none.
 */
export function shown<T extends Brief & Pick<Head, 'unfinished'>>(
  store: Store,
  summary: T,
  hostOf: HostOf = store.leases.finder(),
): Shown<T> {
  const { id, status, unfinished } = summary
  // Asked again last: its host may have come to the end of it since, and left.
  return {
    summary,
    orphaned:
      (needsHost(summary) || unfinished === true) && hostOf(id) === null && store.heads.status(id) === status,
  }
}
