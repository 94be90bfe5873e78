/**
 * The maintenance work of loopd: it watches the disk, makes backups, removes expired things, and keeps a list of
 * problems in words.
 */
import { statSync } from 'node:fs'
import { platform } from '../../platform/platform.ts'
import type { Paths } from '../../store/files/paths.ts'
import { backUpWhenDue } from '../../store/sqlite/backup.ts'
import { daemonWords } from '../../views/words/daemon.ts'
import type { Log } from './log.ts'
import type { Notices } from './notices.ts'
import type { LiveSettings } from './settings.ts'

export type Upkeep = {
  paths: Paths
  env: NodeJS.ProcessEnv
  log: Log
  settings: LiveSettings
  notices: Notices
  /** The current problems, by name. */
  problems: Map<string, string>
}

const backupLookMs = 600_000
const backupAgainMs = 30_000
const usualGarbageMs = 3_600_000
/** The time of the last run of each task, since this program began. */
const last = { backup: Number.NEGATIVE_INFINITY, garbage: performance.now() }

/** Tells whether there is enough disk space for a loop to begin, and reports if not. */
export function watchDisk(upkeep: Upkeep): boolean {
  const { minFreeBytes } = upkeep.settings.now()
  const free = freeBytes(upkeep.paths)
  const short = free !== null && free < minFreeBytes
  const had = upkeep.problems.has('disk')
  const words = daemonWords.diskFull(upkeep.paths.data)
  note(upkeep, 'disk', short ? words : null)
  if (!short || had) return !short
  const title = 'loopd: the disk is nearly full'
  const at = Date.now()
  const id = `loopd:disk:${at}`
  upkeep.notices.tell({ id, at, title, message: words, level: 'warning', loop: null, reason: 'disk' })
  return false
}

/** One copy of the store a day, even if no foreground loop ever ends here. */
export function backUp(upkeep: Upkeep): void {
  if (performance.now() - last.backup < backupLookMs) return
  last.backup = performance.now()
  backUpWhenDue(upkeep.paths, Date.now())
    .then(why => {
      note(upkeep, 'backup', why && daemonWords.noBackup(why))
      if (why !== null) last.backup = performance.now() - backupLookMs + backupAgainMs
    })
    .catch(failedIn(upkeep, 'a backup'))
}

/**
 * Retention: expired things are removed once an hour; after the clock was set, only once that time has really
 * passed.
 */
export function throwAway(upkeep: Upkeep, collect: () => Promise<string | null>): void {
  if (isClockSet(upkeep)) return
  const every = Number(upkeep.env['LOOPD_GARBAGE_MS'] ?? usualGarbageMs)
  if (performance.now() - last.garbage < every) return
  last.garbage = performance.now()
  collect()
    .then(why => note(upkeep, 'garbage', why && daemonWords.gcFailed(why)))
    .catch(failedIn(upkeep, 'loop gc'))
}

/** For work that nobody awaits. */
function failedIn({ log }: Upkeep, work: string): (error: unknown) => void {
  return error => log.error({ err: error }, `${work} failed`)
}

/** The boot time by the clock: uptime cannot be set, and it continues while a laptop sleeps. */
const bootedAt = () => Date.now() - platform.processes.uptimeMs()
const clock = { bootedAt: bootedAt(), distrustedUntil: Number.NEGATIVE_INFINITY }
const tolerableMs = 300_000

/**
 * For a clock that was set, a loop that ended a minute ago can seem to have ended a day ago: its checkpoints must
 * stay.
 */
function isClockSet(upkeep: Upkeep): boolean {
  const now = bootedAt()
  const jumpMs = now - clock.bootedAt
  clock.bootedAt = now
  const { retentionMs } = upkeep.settings.now()
  if (jumpMs > tolerableMs) {
    clock.distrustedUntil = performance.now() + retentionMs
    note(upkeep, 'clock', daemonWords.clockSet(jumpMs, retentionMs))
  }
  const isSet = performance.now() < clock.distrustedUntil
  if (!isSet) note(upkeep, 'clock', null)
  return isSet
}

const program = process.argv[1] ?? ''
const versionOf = () => {
  const stat = statSync(program, { throwIfNoEntry: false })
  return stat && `${stat.ino}:${stat.mtimeMs}`
}
const installed = versionOf()

/** Agents are started by a file beside the program: without it every loop would pause at its next step. */
export function watchProgram(upkeep: Upkeep): void {
  const now = versionOf()
  const what = now === undefined ? 'removed' : 'replaced'
  note(upkeep, 'program', now === installed ? null : daemonWords.programChanged(program, what))
}

export function freeBytes(paths: Paths): number | null {
  try {
    return platform.files.freeBytes(paths.data)
  } catch {
    return null // what cannot be asked is not known, and no reason to stop
  }
}

/** Null: the problem is solved. Logged once. */
export function note({ problems, log }: Upkeep, name: string, problem: string | null): void {
  if (problem !== null && problems.get(name) !== problem) log.warn(problem)
  if (problem === null) problems.delete(name)
  else problems.set(name, problem)
}
