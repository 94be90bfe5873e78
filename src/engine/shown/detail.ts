/** One loop or group as programs see it: its summary, its members, its host, and the possible commands. */
import { isActive, type Summary } from '../../core/loop/summary.ts'
import type { Store } from '../../store/contract.ts'
import { detailJson, needsLines, type Shown } from '../../views/text/status.ts'
import { withMembers } from './members.ts'
import { shown } from './orphans.ts'

/** `behind`: the holder of the work tree for which a queued loop waits. */
export function shownWhole(store: Store, summary: Summary): Shown {
  const behind = summary.status === 'queued' ? store.heads.ahead(summary) : null
  const alone = shown(store, summary)
  const [row = alone] = summary.kind === 'group' ? withMembers(store, [alone]).rows : []
  return { ...row, behind }
}

export function detailed(store: Store, summary: Summary, now: number) {
  const row = shownWhole(store, summary)
  const { prompt, createdAt, endedAt, seq, budgetUsd } = row.summary
  return {
    ...detailJson(row, now),
    prompt,
    createdAt,
    endedAt,
    seq,
    budgetUsd,
    background: summary.background ?? null,
    hosted: isActive(summary.status) && !row.orphaned,
  }
}

/** What a loop or group needs of a person, in lines; empty if it needs nobody, or cannot be read. */
export function needsOf(store: Store, id: string, now: number): string[] {
  const found = store.heads.get(id)
  return found.ok ? needsLines(shownWhole(store, found.value), now) : []
}
