/** One loop as programs are shown it: its summary, whether a living process hosts it, and what can be done about it. */
import type { Head } from '../core/head.ts'
import { type Brief, isActive, needsHost, type Summary } from '../core/loop/summary.ts'
import type { Store } from '../store/contract.ts'
import { detailJson, type Shown } from '../views/text/status.ts'
import { waysOn } from '../views/words/next-steps.ts'

/**
 * An active loop without a living host is orphaned, and so is one whose hook was cut off: it waits for somebody to
 * resume it. One that is queued needs none.
 */
export function shown<T extends Brief & Pick<Head, 'unfinished'>>(
  store: Store,
  summary: T,
  hostOf = store.leases.finder(),
): Shown<T> {
  const { id, status, unfinished } = summary
  // Asked again last: its host may have come to the end of it since, and left.
  return {
    summary,
    orphaned:
      (needsHost(summary) || unfinished === true) && hostOf(id) === null && store.heads.status(id) === status,
  }
}

export function detailed(store: Store, summary: Summary, now: number) {
  const row = shown(store, summary)
  const { prompt, createdAt, endedAt, seq, budgetUsd } = summary
  return {
    ...detailJson(row, now),
    prompt,
    createdAt,
    endedAt,
    seq,
    budgetUsd,
    background: summary.background ?? null,
    hosted: isActive(summary.status) && !row.orphaned,
    next: waysOn(row),
  }
}
