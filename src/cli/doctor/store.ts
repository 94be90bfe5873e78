/** Checks the store and every journal in it: there, readable, intact, and hosted if it should be. */
import { existsSync, readdirSync } from 'node:fs'
import { isActive, needsHost } from '../../core/loop/summary.ts'
import type { Summary } from '../../core/summary.ts'
import { failureWords } from '../../failures/words.ts'
import { fail, type Result } from '../../model/failure.ts'
import { count, formatDuration, someOf } from '../../model/units.ts'
import { platform } from '../../platform/platform.ts'
import type { Store } from '../../store/contract.ts'
import type { Paths } from '../../store/files/paths.ts'
import { backupsIn } from '../../store/sqlite/backup.ts'
import { openStore, openStoreToRead } from '../../store/sqlite/open.ts'
import { type RestoredStore, restoreBackup, restoringFile, type Span } from '../../store/sqlite/restore.ts'
import { bad, type Check, good, warn } from './check.ts'

type StoreHealth = { checks: Check[]; lastEnd: number | null; damaged: boolean }

const restoreWay = 'Bring back the newest backup, and what is newer and still readable: loop doctor --restore'

export function storeHealth(paths: Paths, now: number): StoreHealth {
  if (!existsSync(paths.database) && backupsIn(paths, now).length === 0) {
    const lost = lostJournals(paths, directoriesOf(paths))
    const none = good('store', 'no loop was ever started here')
    return { checks: lost.status === 'ok' ? [none] : [lost], lastEnd: null, damaged: false }
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
    return loopsHealth(store, paths, now)
  } finally {
    store.close()
  }
}

type Seen = { damaged: string[]; untrue: string[]; orphans: Summary[]; lastEnd: number | null }

function loopsHealth(store: Store, paths: Paths, now: number): StoreHealth {
  // Before the journals: a loop that begins now has its journal when they are read.
  const directories = directoriesOf(paths)
  const ids = store.journals.ids()
  const known = new Set(ids)
  const unknown = directories.filter(id => !known.has(id))
  const seen: Seen = { damaged: [], untrue: [], orphans: [], lastEnd: null }
  for (const id of ids) look(store, id, seen)
  const checks = [
    good('store', `${paths.database} is sound, with ${count(ids.length, 'loop')}`),
    lostJournals(paths, unknown),
    journals(seen.damaged, backupsIn(paths, now).length > 0),
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

function directoriesOf(paths: Paths): string[] {
  return existsSync(paths.loops) ? readdirSync(paths.loops).filter(name => /^[a-z0-9]{6}$/.test(name)) : []
}

/** Loops that have files here, but no journal in the store: after a restore, or with another store. */
function lostJournals(paths: Paths, lost: readonly string[]): Check {
  if (lost.length === 0) return good('lost journals', 'none')
  const found = `the store does not know ${someOf(lost)}; outputs and checkpoints are kept in ${paths.data}`
  const next = `If you have the store that knows them, put it back (${paths.backups}, ${paths.damaged}). Delete them with: loop gc --yes`
  return warn('lost journals', found, next)
}

function journals(damaged: string[], hasBackups: boolean): Check {
  if (damaged.length === 0) return good('journals', 'every event is as it was written')
  const id = damaged[0]?.split(' ')[0]
  const next = hasBackups
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

export function restoreStore(paths: Paths, now: number): Result<RestoredStore> {
  const why = cause(paths, now)
  if (!why.ok) return why
  const agents = agentsAtWork(paths)
  if (agents.length > 0) {
    return fail('not-allowed', { kind: 'agents-at-work', pids: agents })
  }
  return restoreBackup(paths, now)
}

/** What is to be restored, or why there is nothing. */
function cause(paths: Paths, now: number): Result<null> {
  const nothing: Result<null> = { ok: true, value: null }
  if (existsSync(restoringFile(paths))) return nothing
  const { damaged, checks } = storeHealth(paths, now)
  if (damaged) return nothing
  const failed = checks.find(({ status }) => status === 'fail')
  if (failed) return fail('store-unavailable', { kind: 'store-unsound', found: failed.found })
  return fail('not-allowed', { kind: 'store-sound' })
}

function agentsAtWork(paths: Paths): number[] {
  const loops = new Set(existsSync(paths.loops) ? readdirSync(paths.loops) : [])
  const marks = (pid: number) => platform.processes.variable(pid, 'LOOP_RUN')?.split(' ') ?? []
  return platform.processes
    .all()
    .map(({ pid }) => pid)
    .filter(pid => marks(pid).some(mark => loops.has(mark.split('/')[0] ?? '')))
}

export function restoredLines(restored: RestoredStore, paths: Paths, now: number): string[] {
  const { backup, aside, broughtBack, missing, unknownLoops } = restored
  const unknown = [...restored.unknownRuns, ...restored.unknownCheckpoints]
  const age = formatDuration(Math.max(0, now - backup.at))
  return [
    `The store is restored from its backup of ${new Date(backup.at).toISOString()} (${age} old).`,
    ...(aside ? [`  the damaged files are kept in ${aside}`] : []),
    ...broughtBack.map(span => `  brought back from them: ${words(span)}`),
    ...missing.map(span => `  missing: ${words(span)}`),
    ...unknownLoops.map(
      loop => `  missing: the journal of loop ${loop}; its files are in ${paths.loops}/${loop}`,
    ),
    ...unknown.map(path => `  not in the journal, and kept: ${path}`),
    missing.length + unknownLoops.length + unknown.length === 0
      ? 'Nothing is missing. See the loops with: loop list'
      : 'What is missing is not known to have happened: look before you resume such a loop.',
  ]
}

function words({ loop, from, to }: Span): string {
  return `loop ${loop}, ${from === to ? `event ${from}` : `events ${from} to ${to}`}`
}
