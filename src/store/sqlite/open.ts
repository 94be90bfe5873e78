/**
 * The two ways to open the store: for writing and for reading. A reader never creates or upgrades anything. Both give
 * the contract of the store; SQLite stays behind it.
 */
import { folds as everyFold, type Folds } from '../../core/folds.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { ChangeLog, Inbox, Notified, Store } from '../contract.ts'
import type { Paths } from '../files/paths.ts'
import { adopt, append, create } from './append.ts'
import { closeDatabase, type Database, integrity, openDatabase, openDatabaseToRead, sql } from './database.ts'
import { headsIn } from './head.ts'
import { journalIds, lastSeq, membersOf, ofKinds, read, readAfter, survey } from './journal.ts'
import { leasesIn } from './lease.ts'
import { listsIn } from './listing.ts'

/**
 * What is new in the store: a cheap test whether anybody has written, the journals written after a revision, and up to
 * which event of each journal the user has been notified. A trigger gives every write of a summary the next revision
 * (store/sqlite/migrations), so no write is missed, whichever version of loop makes it.
 */
function changesIn(database: Database): ChangeLog {
  const byOthers = () => Number(sql(database, 'pragma data_version').get()?.['data_version'])
  return {
    byOthers,
    byAny: () => `${byOthers()}/${sql(database, 'select total_changes() as n').get()?.['n']}`,
    revision: () => Number(sql(database, 'select max(rev) as rev from changes').get()?.['rev'] ?? 0),
    after: revision =>
      sql(database, 'select * from changes where rev > ? order by rev')
        .all(revision)
        .map(row => ({ rev: Number(row['rev']), id: String(row['id']), seq: Number(row['seq']) })),
  }
}

const missing = `
  select s.loop as loop, coalesce(t.seq, 0) as after from summary s left join told t on t.loop = s.loop
  where s.seq > coalesce(t.seq, 0) and exists (
    select 1 from events e where e.loop = s.loop and e.seq > coalesce(t.seq, 0)
    and e.kind in (select value from json_each(?)))`

/** A number, written after each notice. If loopd dies, the next one finds by it what is still to be told. */
function notifiedIn(database: Database): Notified {
  return {
    mark(id, seq) {
      const text = 'insert into told values (?, ?) on conflict do update set seq = max(seq, excluded.seq)'
      sql(database, text).run(id, seq)
    },
    missed: kinds =>
      sql(database, missing)
        .all(JSON.stringify(kinds))
        .map(row => ({ loop: String(row['loop']), after: Number(row['after']) })),
  }
}

/**
 * The inbox: commands for a journal, kept until its host has handled them. A command is removed in the transaction that
 * records its effect (store/sqlite/append).
 */
function inboxIn(database: Database): Inbox {
  return {
    send({ id, loop, at, command }) {
      sql(database, 'insert into inbox values (?, ?, ?, ?)').run(id, loop, at, JSON.stringify(command))
    },
    withdraw: id => sql(database, 'delete from inbox where id = ?').run(id).changes === 1,
    pending: journal =>
      sql(database, 'select * from inbox where loop = ? order by rowid')
        .all(journal)
        .map(row => ({
          id: String(row['id']),
          loop: String(row['loop']),
          at: Number(row['at']),
          command: parse(String(row['command'])),
        })),
    waiting: () =>
      sql(database, 'select distinct loop from inbox')
        .all()
        .map(row => String(row['loop'])),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // damaged: the host will refuse it
  }
}

export function openStore(paths: Paths): Result<Store> {
  const opened = openDatabase(paths)
  return opened.ok ? ok(storeOver(opened.value)) : opened
}

/** For commands that only read; null where no loop was ever started. */
export function openStoreToRead(paths: Paths): Result<Store | null> {
  return openedToRead(paths, everyFold)
}

/**
 * The same without the rules that rebuild a summary: a row that cannot be believed counts as damaged, and whoever asked
 * asks again with them. The rules are a third of the code that a list of loops would load.
 */
export function openStoreForList(paths: Paths): Result<Store | null> {
  return openedToRead(paths, {})
}

function openedToRead(paths: Paths, folds: Folds): Result<Store | null> {
  const opened = openDatabaseToRead(paths, folds)
  if (!opened.ok) return opened
  return ok(opened.value && storeOver(opened.value))
}

export function storeOver(database: Database): Store {
  return {
    paths: database.paths,
    journals: {
      create: first => create(database, first),
      append: entry => append(database, entry),
      read: id => read(database, id),
      readAfter: (id, after, most) => readAfter(database, id, { after, most }),
      ofKinds: (id, kinds, after) => ofKinds(database, id, { kinds, after }),
      survey: id => survey(database, id),
      lastSeq: id => lastSeq(database, id),
      ids: () => journalIds(database),
      inGroup: group => membersOf(database, group),
      adopt: rows => adopt(database, rows),
    },
    heads: { ...headsIn(database), ...listsIn(database) },
    inbox: inboxIn(database),
    leases: leasesIn(database),
    changes: changesIn(database),
    notified: notifiedIn(database),
    problem: () => integrity(database),
    close: () => closeDatabase(database),
  }
}
