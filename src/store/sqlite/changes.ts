/**
 * What has changed: a cheap look whether anybody has written, and the journals that were written after a revision.
 * A trigger numbers every write of a summary (store/sqlite/migrations), so nothing is missed, whichever version of
 * loop writes. An older store that has no numbers yet answers with every journal.
 */
import type { ChangeLog } from '../contract.ts'
import { type Database, sql } from './database.ts'
import { hasTable } from './migrations.ts'

export function changesIn(database: Database): ChangeLog {
  const byOthers = () => Number(sql(database, 'pragma data_version').get()?.['data_version'])
  const isNumbered = () => hasTable(database.db, 'changes')
  return {
    byOthers,
    byAny: () => `${byOthers()}/${sql(database, 'select total_changes() as n').get()?.['n']}`,
    revision: () =>
      isNumbered() ? Number(sql(database, 'select max(rev) as rev from changes').get()?.['rev'] ?? 0) : 0,
    after(revision) {
      const rows = isNumbered()
        ? sql(database, 'select * from changes where rev > ? order by rev').all(revision)
        : sql(database, 'select 0 as rev, loop as id, seq from summary order by created_at, loop').all()
      return rows.map(row => ({
        rev: Number(row['rev']),
        id: String(row['id']),
        seq: Number(row['seq']),
      }))
    },
  }
}
