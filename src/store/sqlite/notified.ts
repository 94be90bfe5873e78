/**
 * How far the user has been told what is in the journal of each loop: a number, written once it has been told.
 * What was not told when loopd died is found by it, so there is no queue that could disagree with the journal.
 * A table that an older program neither knows nor minds.
 */
import { type Store, sql, transaction } from './database.ts'

/** Whatever there is before the first loopd that keeps this was told by others, or nobody waits for it. */
export function keepTold(store: Store): void {
  if (isKept(store)) return
  transaction(store, () => {
    if (isKept(store)) return
    store.db.exec('create table told (loop text primary key, seq integer not null) without rowid')
    store.db.exec('insert into told select loop, seq from summary')
  })
}

function isKept(store: Store): boolean {
  return (
    store.db.prepare("select 1 from sqlite_master where type = 'table' and name = 'told'").get() !== undefined
  )
}

export function markTold(store: Store, loop: string, seq: number): void {
  sql(store, 'insert into told values (?, ?) on conflict do update set seq = max(seq, excluded.seq)').run(
    loop,
    seq,
  )
}

/** The loops with events of these kinds after the last that was told, and where that was. */
export function untold(store: Store, kinds: readonly string[]): { loop: string; after: number }[] {
  const rows = sql(
    store,
    `select s.loop as loop, coalesce(t.seq, 0) as after from summary s left join told t on t.loop = s.loop
     where s.seq > coalesce(t.seq, 0) and exists (
       select 1 from events e where e.loop = s.loop and e.seq > coalesce(t.seq, 0)
       and e.kind in (select value from json_each(?)))`,
  ).all(JSON.stringify(kinds))
  return rows.map(row => ({ loop: String(row['loop']), after: Number(row['after']) }))
}
