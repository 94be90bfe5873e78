/** Tells whether a loop that needs a host has a living one. */
import type { Head } from '../../core/head.ts'
import { type Brief, needsHost } from '../../core/loop/summary.ts'
import type { Store } from '../../store/contract.ts'
import type { Shown } from '../../views/text/status.ts'

export type HostOf = ReturnType<Store['leases']['finder']>

/**
 * An active loop without a living host is orphaned, and so is one whose hook was interrupted: it waits for a resume.
 * A queued loop needs no host.
 */
export function shown<T extends Brief & Pick<Head, 'unfinished'>>(
  store: Store,
  summary: T,
  hostOf: HostOf = store.leases.finder(),
): Shown<T> {
  const { id, status, unfinished } = summary
  // The row is read again at the end: the host can have finished and left meanwhile.
  return {
    summary,
    orphaned:
      (needsHost(summary) || unfinished === true) && hostOf(id) === null && store.heads.status(id) === status,
  }
}
