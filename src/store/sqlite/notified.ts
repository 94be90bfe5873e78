/**
 * How far the user has been told what is in each journal: a number, written once it has been told.
 * What was not told when loopd died is found by it, so there is no queue that could disagree with the journal.
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
