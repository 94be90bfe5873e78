/**
 * `loop doctor --restore`: only if there is something to restore and nobody is at work: neither a host nor an agent,
 * which would continue in a tree that the restored journal does not know.
 */
import { existsSync, readdirSync } from 'node:fs'
import { fail, type Result } from '../../model/failure.ts'
import { formatDuration } from '../../model/units.ts'
import { platform } from '../../platform/platform.ts'
import type { Paths } from '../../store/files/paths.ts'
import { type RestoredStore, restoreBackup, restoringFile, type Span } from '../../store/sqlite/restore.ts'
import { storeHealth } from './store.ts'

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
