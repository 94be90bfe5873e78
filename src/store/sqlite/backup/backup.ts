/**
 * Backups of the store: a copy a day, the newest few kept. Taken through a connection of its own, in one
 * snapshot, on another thread: nobody who writes waits for it. A copy counts only once it is checked, durable
 * and under its name. What goes wrong is noted beside them and never stops a loop; `loop doctor` reads the note.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
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
import type { Paths } from '../../files/paths.ts'
import { schemaVersion, versionOf } from '../migrations.ts'

export type Backup = { file: string; at: number }

export const backupEveryMs = 24 * 3_600_000
const kept = 3
/** All in one step: with more, every write of another process in between would begin it anew. */
const allPages = 2 ** 31 - 1

/** Takes a backup if the newest is older than a day; null, or why it could not be taken. Never rejects. */
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
    renameSync(temporary, join(paths.backups, nameOf(now)))
    fsyncPath(paths.backups)
    for (const { file } of backupsIn(paths).slice(kept)) rmSync(file, { force: true })
    rmSync(notePath(paths), { force: true })
    return null
  } catch (error) {
    return noted(paths, now, { temporary, why: error instanceof Error ? error.message : String(error) })
  }
}

/** The backups there are, newest first. */
export function backupsIn(paths: Paths): Backup[] {
  const names = existsSync(paths.backups) ? readdirSync(paths.backups) : []
  return names
    .map(name => ({ file: join(paths.backups, name), at: timeOf(name) }))
    .filter(({ at }) => !Number.isNaN(at))
    .sort((a, b) => b.at - a.at)
}

/** Why the last try failed, if it did. */
export function failedBackup(paths: Paths): string | null {
  return existsSync(notePath(paths)) ? readFileSync(notePath(paths), 'utf8').trim() : null
}

/** Null when the file is a sound store that this version can read; else what is wrong with it. */
export function problemOf(file: string): string | null {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: 5_000, readOnly: true })
    const [first] = db.prepare('pragma quick_check(1)').all()
    if (first?.['quick_check'] !== 'ok') return String(first?.['quick_check'])
    const version = versionOf(db)
    if (version === 0) return 'it is empty'
    return version > schemaVersion ? 'it was written by a newer loop' : null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    db?.close()
  }
}

/** `2026-01-31T12-00-00.000Z.db`: sorts by age, and is a name on every file system. */
export function stamp(at: number): string {
  return new Date(at).toISOString().replaceAll(':', '-')
}

export function fsyncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function isDue(paths: Paths, now: number): boolean {
  if (!existsSync(paths.database)) return false
  // One from the future is of a clock that was wrong: it must not keep new ones from being taken.
  const newest = backupsIn(paths).find(({ at }) => at <= now)
  return !newest || now - newest.at >= backupEveryMs
}

async function copy(paths: Paths, to: string): Promise<void> {
  // Made first, so that at no moment anybody else may read it.
  closeSync(openSync(to, 'w', 0o600))
  chmodSync(to, 0o600)
  const source = new DatabaseSync(paths.database, { timeout: 5_000, readOnly: true })
  try {
    await backup(source, to, { rate: allPages })
  } finally {
    source.close()
  }
  const target = new DatabaseSync(to)
  // A file that needs no -wal beside it: it can be copied, moved and looked at by itself.
  target.exec('pragma journal_mode = delete')
  target.close()
}

/** Of a process that was killed half-way. */
function removeLeftovers(paths: Paths): void {
  for (const name of readdirSync(paths.backups)) {
    const [, pid] = /^\.new-(\d+)/.exec(name) ?? []
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(paths.backups, name), { force: true })
  }
}

function noted(paths: Paths, now: number, { temporary, why }: { temporary: string; why: string }): string {
  try {
    rmSync(temporary, { force: true })
    writeFileSync(notePath(paths), `${new Date(now).toISOString()}: ${why}\n`, { mode: 0o600 })
  } catch {
    return why // no room even for the note: that there is no newer backup says the same
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
