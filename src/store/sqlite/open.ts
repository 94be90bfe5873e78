/**
 * The two ways to open the store: for writing and for reading. A reader never creates or upgrades anything. Both give
 * the contract of the store; SQLite stays behind it.
 */
import { folds as everyFold, type Folds } from '../../core/folds.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Store } from '../contract.ts'
import type { Paths } from '../files/paths.ts'
import { adopt, append, create } from './append.ts'
import { changesIn, notifiedIn } from './changes.ts'
import { closeDatabase, type Database, integrity, openDatabase, openDatabaseToRead } from './database.ts'
import { headsIn } from './head.ts'
import { inboxIn } from './inbox.ts'
import { journalIds, lastSeq, membersOf, ofKinds, read, readAfter, survey } from './journal.ts'
import { leasesIn } from './lease.ts'
import { listsIn } from './listing.ts'

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
