/**
 * What is new in the store: a cheap test whether anybody has written, the journals written after a revision, and up to
 * which event of each journal the user has been notified. A trigger gives every write of a summary the next revision
 * (store/sqlite/migrations), so no write is missed, whichever version of loop makes it.
 */
import type { ChangeLog, Notified } from '../contract.ts'
import { type Database, sql } from './database.ts'

export function changesIn(database: Database): ChangeLog {
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
export function notifiedIn(database: Database): Notified {
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
