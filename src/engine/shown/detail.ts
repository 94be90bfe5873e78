/** One loop or group as programs see it: its summary, its members, its host, and the possible commands. */
import type { Summary } from '../../core/summary.ts'
import { loopJson } from '../../documents/loop.ts'
import type { Store } from '../../store/contract.ts'
import { needsLines, type Shown } from '../../views/text/status.ts'
import { withMembers } from './members.ts'
import { shown } from './orphans.ts'

/** `behind`: the holder of the work tree for which a queued loop waits. */
export function shownWhole<S extends Summary>(store: Store, summary: S): Shown<S> {
  const behind = summary.status === 'queued' ? store.heads.ahead(summary) : null
  const alone = shown(store, summary)
  const [row = alone] = withMembers(store, [alone]).rows
  return { ...row, behind }
}

export function detailed(store: Store, summary: Summary, now: number) {
  return loopJson(shownWhole(store, summary), now)
}

/** What a loop or group needs of a person, in lines; empty if it needs nobody, or cannot be read. */
export function needsOf(store: Store, id: string, now: number): string[] {
  const found = store.heads.get(id)
  return found.ok ? needsLines(shownWhole(store, found.value), now) : []
}
