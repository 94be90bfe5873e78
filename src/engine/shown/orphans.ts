/** Tells whether a loop that needs a host has a living one. */
import type { Head } from '../../core/head.ts'
import { type Brief, needsHost } from '../../core/loop/summary.ts'
import { restartOf } from '../../core/queue.ts'
import type { Summary } from '../../core/summary.ts'
import type { Store } from '../../store/contract.ts'
import type { Shown } from '../../views/text/status.ts'

export type HostOf = ReturnType<Store['leases']['finder']>

/**
 * An active loop without a living host is orphaned, and so is one whose hook was interrupted: it waits for a resume.
 * A queued loop, and a crashed one that is to be restarted, need no host but loopd.
 */
export function shown<T extends Brief & Pick<Head, 'unfinished'>>(
  store: Store,
  summary: T,
  hostOf: HostOf = store.leases.finder(),
): Shown<T> {
  const { id, status, unfinished } = summary
  const isHostless = (needsHost(summary) || unfinished === true) && hostOf(id) === null
  const isLeft = isHostless || (waitsForDaemon(summary) && !hostOf.daemonRuns())
  // The row is read again at the end: the host can have finished and left meanwhile.
  return { summary, orphaned: isLeft && store.heads.status(id) === status }
}

/** A short row does not tell whether a crashed loop is restarted; every loop is queued for loopd. */
function waitsForDaemon(summary: Brief): boolean {
  if (summary.status === 'queued') return true
  return 'reason' in summary && restartOf(summary as Brief & Summary) !== null
}
