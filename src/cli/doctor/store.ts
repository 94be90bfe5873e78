/** Checks the store and every journal in it: readable, intact, and hosted if it should be. */

import { existsSync } from 'node:fs'
import { isActive, needsHost, type Summary } from '../../core/loop/summary.ts'
import { failureWords } from '../../failures/words.ts'
import { count } from '../../model/units.ts'
import type { Store } from '../../store/contract.ts'
import type { Paths } from '../../store/files/paths.ts'
import { backupsIn } from '../../store/sqlite/backup/backup.ts'
import { openStore, openStoreToRead } from '../../store/sqlite/open.ts'
import { bad, type Check, good, warn } from './check.ts'

type StoreHealth = { checks: Check[]; lastEnd: number | null; damaged: boolean }

const restoreWay = 'Bring back the newest backup, and what is newer and still readable: loop doctor --restore'

export function storeHealth(paths: Paths): StoreHealth {
  if (!existsSync(paths.database) && backupsIn(paths).length === 0) {
    return { checks: [good('store', 'no loop was ever started here')], lastEnd: null, damaged: false }
  }
  const opened = openStoreToRead(paths)
  if (!opened.ok) {
    const damaged = opened.failure.reason === 'store-damaged'
    const next = damaged ? restoreWay : 'Solve that, then run this again.'
    return { checks: [bad('store', failureWords(opened.failure), next)], lastEnd: null, damaged }
  }
  const store = opened.value
  if (!store) return { checks: [good('store', 'empty')], lastEnd: null, damaged: false }
  try {
    const problem = store.problem()
    if (problem) {
      const found = `${paths.database} is damaged: ${problem}`
      return { checks: [bad('store', found, restoreWay)], lastEnd: null, damaged: true }
    }
    return loopsHealth(store, paths)
  } finally {
    store.close()
  }
}

type Seen = { damaged: string[]; untrue: string[]; orphans: Summary[]; lastEnd: number | null }

function loopsHealth(store: Store, paths: Paths): StoreHealth {
  const ids = store.journals.ids()
  const seen: Seen = { damaged: [], untrue: [], orphans: [], lastEnd: null }
  for (const id of ids) look(store, id, seen)
  const checks = [
    good('store', `${paths.database} is sound, with ${count(ids.length, 'loop')}`),
    journals(seen.damaged, paths),
    summaries(seen.untrue, paths),
    orphans(seen.orphans.filter(one => !isOfOpenGroup(store, one))),
  ]
  return { checks, lastEnd: seen.lastEnd, damaged: seen.damaged.length > 0 }
}

function look(store: Store, id: string, seen: Seen): void {
  const host = store.leases.hostOf(id)
  const found = store.heads.audit(id)
  if (!found.ok) {
    const { bad: events } = store.journals.survey(id)
    seen.damaged.push(
      `${id} (event ${events.slice(0, 5).join(', ') || 'count'}${events.length > 5 ? ', …' : ''})`,
    )
    return
  }
  const { summary, isTrue } = found.value
  if (!isTrue) seen.untrue.push(id)
  if (needsHost(summary) && host === null && stillActive(store, id)) seen.orphans.push(summary)
  seen.lastEnd = Math.max(seen.lastEnd ?? 0, summary.endedAt ?? 0) || null
}

/** The host of its group takes it up too; for a group without a host, the group is named. */
function isOfOpenGroup(store: Store, { group }: Summary): boolean {
  const head = group === null ? null : store.heads.get(group)
  return head?.ok === true && isActive(head.value.status)
}

/** Read again: its host can have finished just now. */
function stillActive(store: Store, id: string): boolean {
  const summary = store.heads.find(id)
  return summary.ok && isActive(summary.value.status)
}

function journals(damaged: string[], paths: Paths): Check {
  if (damaged.length === 0) return good('journals', 'every event is as it was written')
  const id = damaged[0]?.split(' ')[0]
  const next =
    backupsIn(paths).length > 0
      ? restoreWay
      : `What is readable of it: loop export ${id}. The tree, checkpoints and outputs are not affected.`
  return bad('journals', `damaged, and not driven any further: ${damaged.join(', ')}`, next)
}

function summaries(untrue: string[], paths: Paths): Check {
  if (untrue.length === 0) return good('summaries', 'every row says what its journal says')
  const store = openStore(paths)
  const next = 'Make the store writable, then run this again.'
  if (!store.ok) return warn('summaries', `wrong, and not mended: ${untrue.join(', ')}`, next)
  const rebuilt = untrue.filter(id => store.value.heads.rebuild(id).ok)
  store.value.close()
  return warn('summaries', `were wrong and are rebuilt from their journals: ${rebuilt.join(', ')}`, null)
}

function orphans(found: Summary[]): Check {
  if (found.length === 0) return good('orphaned loops', 'none')
  const ids = found.map(({ id, cwd }) => `${id} in ${cwd}`).join(', ')
  const [{ id } = { id: '' }] = found
  const next = `Take it up with: loop resume ${id}; or end it with: loop cancel ${id}`
  return warn('orphaned loops', `no process hosts ${ids}`, next)
}
