/** Checks loop's files around the store: the directory, the disk space, backups, locks of hosts. */
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { failureWords } from '../../failures/words.ts'
import { count, formatBytes, formatDuration } from '../../model/units.ts'
import { readConfigFile } from '../../options/config/file.ts'
import { parseConfig } from '../../options/config/parse.ts'
import { platform } from '../../platform/platform.ts'
import type { Paths } from '../../store/files/paths.ts'
import { backupEveryMs, backupsIn, failedBackup, problemOf } from '../../store/sqlite/backup.ts'
import { hostsIn } from '../../store/sqlite/lock.ts'
import { restoringFile } from '../../store/sqlite/restore.ts'
import { bad, type Check, good, warn } from './check.ts'

export function directoryCheck({ data }: Paths): Check[] {
  const name = 'data directory'
  const there = existing(data)
  const refused = writeRefused(there)
  if (refused) {
    const next = 'Make it writable for you, or set XDG_DATA_HOME to a directory that is.'
    return [bad(name, `${data} cannot be written: ${refused}`, next)]
  }
  if (there !== data) return [good(name, `${data}: will be made by the first loop`)]
  const { mode, uid } = statSync(data)
  const me = process.getuid?.() ?? uid
  if (uid !== me) {
    return [warn(name, `${data} belongs to user ${uid}, and you are ${me}`, `chown -R ${me} ${data}`)]
  }
  const bits = (mode & 0o777).toString(8).padStart(4, '0')
  if (mode & 0o077) return [warn(name, `${data} is open to others (mode ${bits})`, `chmod 700 ${data}`)]
  return [good(name, `${data} (writable, mode ${bits}, yours)`)]
}

/** Tested by writing: permission bits know nothing of read-only mounts, quotas and root. */
function writeRefused(directory: string): string | null {
  const probe = join(directory, `.loop-doctor-${randomUUID()}`)
  try {
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    rmSync(probe)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The directory, or its nearest existing parent. */
function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path))
}

/** The user's own file: if it cannot be read, every start fails. A project's file is asked about at a start. */
export function configCheck({ config }: Paths): Check[] {
  const file = readConfigFile({ path: config, of: 'user' })
  const entries = file.ok && file.value ? parseConfig(file.value) : file
  if (!entries.ok) return [bad('configuration', failureWords(entries.failure), `Mend or remove ${config}.`)]
  if (!entries.value) return [good('configuration', `no file of your own (${config})`)]
  return [good('configuration', config)]
}

export function spaceCheck({ data }: Paths): Check[] {
  return [spaceLeft(platform.files.freeBytes(existing(data)))]
}

const tightBytes = 2_000_000_000
const fullBytes = 100_000_000

export function spaceLeft(bytes: number): Check {
  const found = `${formatBytes(bytes)} free`
  if (bytes < fullBytes) return bad('disk space', found, 'Make room: a loop pauses when the disk is full.')
  if (bytes >= tightBytes) return good('disk space', found)
  return warn(
    'disk space',
    found,
    'Make room: one run may print 2 GB (--max-output), and checkpoints need some.',
  )
}

export function hostsCheck(paths: Paths): Check[] {
  const { alive, stale } = hostsIn(paths)
  // One process can be several hosts: loopd is one for its loops and one for its API.
  const pids = [...new Set(alive.map(host => host.split('-')[0]))]
  const living =
    pids.length === 0 ? 'none running' : `${count(pids.length, 'process')} running: ${pids.join(', ')}`
  if (stale.length === 0) return [good('hosts', living)]
  const old = stale.map(host => join(paths.hosts, `${host}.lock`)).filter(isOld)
  for (const file of old) rmSync(file, { force: true })
  const left = `${count(stale.length, 'lock file')} of hosts that died`
  return [good('hosts', `${living}; ${left}${old.length > 0 ? `, ${old.length} of them removed` : ''}`)]
}

/** A file created a moment ago may be about to be locked. */
function isOld(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > 3_600_000
}

/** `lastEnd`: the time at which the newest ended loop ended. A sound backup is at least as new. */
export function backupsCheck(paths: Paths, lastEnd: number | null, now: number): Check[] {
  const name = 'backups'
  if (existsSync(restoringFile(paths))) {
    return [bad(name, 'a restore was interrupted', 'Finish it: loop doctor --restore')]
  }
  const backups = backupsIn(paths, now)
  const [newest] = backups
  if (!existsSync(paths.database) && newest) {
    const next = `If you did not remove ${paths.database}, bring it back: loop doctor --restore`
    return [warn(name, `${count(backups.length, 'backup')} of a store that is not there`, next)]
  }
  const failed = failedBackup(paths)
  const there = `Backups are in ${paths.backups}.`
  if (failed)
    return [warn(name, `the last try failed (${failed})`, `Solve that; the next loop tries again. ${there}`)]
  if (lastEnd !== null && lastEnd - (newest?.at ?? 0) > 2 * backupEveryMs) {
    return [warn(name, `none newer than the loops there are`, `The next loop that ends makes one. ${there}`)]
  }
  if (!newest) return [good(name, 'none yet: the first is taken when a loop ends')]
  const problem = problemOf(newest.file)
  if (problem) return [warn(name, `the newest is not sound (${problem})`, `rm ${newest.file}`)]
  const age = formatDuration(Math.max(0, now - newest.at))
  return [good(name, `${backups.length}, the newest ${age} old`)]
}
