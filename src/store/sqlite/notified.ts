/**
 * Up to which event of each journal the user has been notified: a number, written after each notice. If loopd dies, the
 * next one finds by it what is still to be told; there is no queue that could disagree with the journal.
 */
import type { Notified } from '../contract.ts'
import { type Database, sql } from './database.ts'

const missing = `
  select s.loop as loop, coalesce(t.seq, 0) as after from summary s left join told t on t.loop = s.loop
  where s.seq > coalesce(t.seq, 0) and exists (
    select 1 from events e where e.loop = s.loop and e.seq > coalesce(t.seq, 0)
    and e.kind in (select value from json_each(?)))`

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
