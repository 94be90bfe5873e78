/**
 * Backups of the store: one a day; the newest few are kept, and any that has events which the store has lost. A
 * backup is one snapshot, taken on another thread through a connection of its own, so that no writer waits for it. It
 * gets its name only once it is checked and durable. An error never stops a loop: it is noted in a file beside the
 * backups, which `loop doctor` reads.
 */

import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { platform } from '../../platform/platform.ts'
import { fsyncPath } from '../files/directory.ts'
import type { Paths } from '../files/paths.ts'
import { applicationId, identityOf, isEmpty, storeVersion } from './identity.ts'

export type Backup = { file: string; at: number }

export const backupEveryMs = 24 * 3_600_000
const kept = 3
/** All pages in one step: between two steps, a write of another process would restart the backup. */
const allPages = 2 ** 31 - 1

/** Takes a backup if the newest is older than a day. Resolves to null, or to the reason of a failure; never rejects. */
export async function backUpWhenDue(paths: Paths, now: number): Promise<string | null> {
  const temporary = join(paths.backups, `.new-${process.pid}`)
  try {
    if (!isDue(paths, now)) return null
    mkdirSync(paths.backups, { recursive: true, mode: 0o700 })
    removeLeftovers(paths)
    await copy(paths, temporary)
    const why = problemOf(temporary)
    if (why !== null) throw new Error(`the copy is not sound: ${why}`)
    fsyncPath(temporary)
    const newest = join(paths.backups, nameOf(now))
    renameSync(temporary, newest)
    fsyncPath(paths.backups)
    removeOld(paths, now, newest)
    rmSync(notePath(paths), { force: true })
    return null
  } catch (error) {
    return noted(paths, now, { temporary, why: error instanceof Error ? error.message : String(error) })
  }
}

/** All backups, newest first. Those from the future come last: they were made with a wrong clock. */
export function backupsIn(paths: Paths, now: number): Backup[] {
  const names = existsSync(paths.backups) ? readdirSync(paths.backups) : []
  return names
    .map(name => ({ file: join(paths.backups, name), at: timeOf(name) }))
    .filter(({ at }) => !Number.isNaN(at))
    .sort((a, b) => Number(a.at > now) - Number(b.at > now) || b.at - a.at)
}

/** Journals only grow, so a backup with an event that the newest does not have is the last to have it. */
function removeOld(paths: Paths, now: number, newest: string): void {
  const old = backupsIn(paths, now).slice(kept)
  for (const { file } of old) if (isWithin(newest, file)) rmSync(file, { force: true })
}

/** The checksums of a journal form a chain: who has its last event has them all. */
const notWithin = `
  select 1 from (select loop, max(seq) as seq, sum from events group by loop) old where not exists (
    select 1 from newest.events e where e.loop = old.loop and e.seq = old.seq and e.sum = old.sum) limit 1`

/** False where nobody can say: then the file stays. */
function isWithin(newest: string, file: string): boolean {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: 5_000, readOnly: true })
    db.prepare('attach ? as newest').run(newest)
    return db.prepare(notWithin).get() === undefined
  } catch {
    return false
  } finally {
    db?.close()
  }
}

/** Why the last attempt failed, if it did. */
export function failedBackup(paths: Paths): string | null {
  return existsSync(notePath(paths)) ? readFileSync(notePath(paths), 'utf8').trim() : null
}

/** Null where the file is a sound store that this version can read; else what is wrong with it. */
export function problemOf(file: string): string | null {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: 5_000, readOnly: true })
    const [first] = db.prepare('pragma quick_check(1)').all()
    if (first?.['quick_check'] !== 'ok') return String(first?.['quick_check'])
    const identity = identityOf(db)
    if (isEmpty(identity)) return 'it is empty'
    if (identity.application !== applicationId) return 'it is not a store of this loop'
    return identity.version > storeVersion ? 'it was written by a newer loop' : null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    db?.close()
  }
}

/** `2026-01-31T12-00-00.000Z`: sorts by age, and is valid as a name on every file system. */
export function stamp(at: number): string {
  return new Date(at).toISOString().replaceAll(':', '-')
}

function isDue(paths: Paths, now: number): boolean {
  if (!existsSync(paths.database)) return false
  const newest = backupsIn(paths, now).find(({ at }) => at <= now)
  return !newest || now - newest.at >= backupEveryMs
}

async function copy(paths: Paths, to: string): Promise<void> {
  // Created with these permissions first, so that nobody else can read it at any moment.
  closeSync(openSync(to, 'w', 0o600))
  chmodSync(to, 0o600)
  const source = new DatabaseSync(paths.database, { timeout: 5_000, readOnly: true })
  try {
    await backup(source, to, { rate: allPages })
  } finally {
    source.close()
  }
  const target = new DatabaseSync(to)
  // Without WAL the file is complete by itself: it can be copied and moved.
  target.exec('pragma journal_mode = delete')
  target.close()
}

/** Removes unfinished backups of processes that were killed. */
function removeLeftovers(paths: Paths): void {
  for (const name of readdirSync(paths.backups)) {
    const [, pid] = /^\.new-(\d+)/.exec(name) ?? []
    if (pid && !platform.processes.find(Number(pid))) rmSync(join(paths.backups, name), { force: true })
  }
}

function noted(paths: Paths, now: number, { temporary, why }: { temporary: string; why: string }): string {
  try {
    rmSync(temporary, { force: true })
    writeFileSync(notePath(paths), `${new Date(now).toISOString()}: ${why}\n`, { mode: 0o600 })
  } catch {
    return why // no room for the note either; the age of the newest backup tells as much
  }
  return why
}

function notePath(paths: Paths): string {
  return join(paths.backups, 'failed')
}

function nameOf(at: number): string {
  return `${stamp(at)}.db`
}

function timeOf(name: string): number {
  const [, day, hour, minute, rest] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-([\d.]+Z)\.db$/.exec(name) ?? []
  return day ? Date.parse(`${day}T${hour}:${minute}:${rest}`) : Number.NaN
}
