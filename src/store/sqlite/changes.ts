/**
 * Changes of the store: a cheap test whether anybody has written, and the journals written after a revision. A trigger
 * gives every write of a summary the next revision (store/sqlite/migrations), so no write is missed, whichever version
 * of loop makes it. An older store without revisions answers with all journals.
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
