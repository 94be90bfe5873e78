/**
 * Restores the store from its newest sound backup. The damaged file is moved aside, never deleted. Rows of it that are
 * newer than the backup, still readable and continue the chain of checksums are added; what is missing after that is
 * listed. Nothing is invented: a loop is as far as its rows say.
 *
 *   build loop.db.restored ─▶ link damaged files into damaged/ ─▶ remove -wal, -shm ─▶ rename into place
 *
 * After a kill at any point loop.db.restored is still there: it tells that the restore must be repeated.
 */
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { keepAside } from '../../platform/platform.ts'
import { fsyncPath } from '../files/directory.ts'
import type { Paths } from '../files/paths.ts'
import { type Backup, backupsIn, problemOf, stamp } from './backup.ts'
import { closeDatabase, type Database, openDatabase, sql, transaction } from './database.ts'
import { strangeByHeader } from './identity.ts'
import { hostsIn } from './lock.ts'
import { storeOver } from './open.ts'
import { readableIn } from './salvage.ts'

/** Events `from` to `to` of a loop. */
export type Span = { loop: string; from: number; to: number }

export type RestoredStore = {
  backup: Backup
  /** Where the damaged files are now; null where there were none. */
  aside: string | null
  /** Events newer than the backup, read from the damaged file. */
  broughtBack: Span[]
  /** Events that were written once and are lost. */
  missing: Span[]
  /** Loops that have files but no journal. */
  unknownLoops: string[]
  /** New names of runs that are on disk but not in the journal: a resumed loop would use their numbers again. */
  unknownRuns: string[]
  /** The same for checkpoints. */
  unknownCheckpoints: string[]
}

export function restoringFile(paths: Paths): string {
  return `${paths.database}.restored`
}

export function restoreBackup(paths: Paths, now: number): Result<RestoredStore> {
  const { alive } = hostsIn(paths)
  if (alive.length > 0) {
    const pids = alive.map(host => host.split('-')[0] ?? host)
    return fail('not-allowed', { kind: 'store-in-use', pids })
  }
  const inPlace = strangeByHeader(paths.database, paths)
  if (inPlace) return inPlace
  const backups = backupsIn(paths, now)
  const backup = backups.find(({ file }) => problemOf(file) === null)
  if (!backup) {
    const unusable = backups.map(({ file }) => strangeByHeader(file, paths)).find(one => one !== null)
    return (
      unusable ??
      fail('store-damaged', { kind: 'no-backup', backups: paths.backups, database: paths.database })
    )
  }
  const built = build(paths, backup)
  if (!built.ok) return built
  const aside = setAside(paths, now)
  putInPlace(paths)
  const { broughtBack, missing, runs, refs } = built.value
  const unknownCheckpoints = refs.map(keepAside)
  return ok({ backup, aside, broughtBack, missing, ...lookAround(paths, runs), unknownCheckpoints })
}

type Built = { broughtBack: Span[]; missing: Span[]; runs: Map<string, number>; refs: string[] }

function build(paths: Paths, backup: Backup): Result<Built> {
  const sources = [paths.database, ...interrupted(paths)]
  const file = restoringFile(paths)
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  copyFileSync(backup.file, file)
  const opened = openDatabase({ ...paths, database: file })
  if (!opened.ok) return opened
  const database = opened.value
  const { journals } = storeOver(database)
  const known = new Map<string, number>()
  const broughtBack: Span[] = []
  // One transaction for all, to wait for the disk once: nobody else uses the file yet.
  transaction(database, () => {
    for (const source of sources)
      for (const { loop, rows, known: seen } of readableIn(source, loopDirs(paths), backup.file)) {
        known.set(loop, Math.max(seen, known.get(loop) ?? 0))
        const span = journals.adopt(rows)
        if (span) broughtBack.push({ loop, ...span })
      }
  })
  const missing = [...known]
    .map(([loop, to]) => ({ loop, from: journals.lastSeq(loop) + 1, to }))
    .filter(({ from, to }) => from <= to)
  const runs = runsIn(database)
  const refs = unknownRefs(paths, database)
  database.db.exec('pragma journal_mode = delete')
  closeDatabase(database)
  fsyncPath(file)
  return ok({ broughtBack, missing, runs, refs })
}

/** The files that an earlier restore moved aside before it was killed: its -wal may exist only there. */
function interrupted(paths: Paths): string[] {
  if (!existsSync(restoringFile(paths)) || !existsSync(paths.damaged)) return []
  const newest = readdirSync(paths.damaged).sort().at(-1)
  return newest ? [join(paths.damaged, newest, 'loop.db')] : []
}

/** The number of runs in the journal of each loop. */
function runsIn(database: Database): Map<string, number> {
  const rows = sql(database, `select loop, sum(kind = 'run.started') as runs from events group by loop`).all()
  return new Map(rows.map(row => [String(row['loop']), Number(row['runs'])]))
}

/** The checkpoints of iterations and rollbacks that a resumed loop would make again, in place of those that are there. */
const madeAgain = /^(?:iter-\d+(?:-after)?|before-rollback-\d+)$/

/** Those that no event of their loop names; of loops without a journal nothing is made again. */
function unknownRefs(paths: Paths, database: Database): string[] {
  const known = sql(database, 'select 1 from events where loop = ? limit 1')
  const named = sql(database, 'select 1 from events where loop = ? and instr(data, ?) limit 1')
  return namesIn(paths.trees).flatMap(tree => {
    const refs = join(paths.trees, tree, 'git/refs/loop')
    return namesIn(refs)
      .filter(loop => known.get(loop))
      .flatMap(loop =>
        namesIn(join(refs, loop))
          .filter(name => madeAgain.test(name) && !named.get(loop, JSON.stringify(name)))
          .map(name => join(refs, loop, name)),
      )
  })
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).sort() : []
}

function setAside(paths: Paths, now: number): string | null {
  const ends = ['', '-wal', '-shm'].filter(end => existsSync(`${paths.database}${end}`))
  if (ends.length === 0) return null
  const aside = join(paths.damaged, stamp(now))
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  for (const end of ends) linkOrCopy(`${paths.database}${end}`, join(aside, `loop.db${end}`))
  fsyncPath(aside)
  fsyncPath(paths.damaged)
  return aside
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    copyFileSync(from, to) // a file system without hard links
    fsyncPath(to)
  }
}

function putInPlace(paths: Paths): void {
  // Before the rename: SQLite would replay an old -wal into the new file.
  for (const end of ['-wal', '-shm']) rmSync(`${paths.database}${end}`, { force: true })
  renameSync(restoringFile(paths), paths.database)
  fsyncPath(paths.data)
}

function lookAround(paths: Paths, runs: Map<string, number>) {
  const loops = loopDirs(paths)
  const unknownRuns: string[] = []
  for (const loop of loops) {
    const known = runs.get(loop)
    if (known === undefined) continue
    for (const run of runDirs(join(paths.loops, loop, 'runs')).filter(n => n > known)) {
      unknownRuns.push(keepAside(join(paths.loops, loop, 'runs', String(run))))
    }
  }
  return { unknownLoops: loops.filter(loop => !runs.has(loop)), unknownRuns }
}

function loopDirs(paths: Paths): string[] {
  return namesIn(paths.loops)
}

function runDirs(dir: string): number[] {
  if (!lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(dir)
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
}
