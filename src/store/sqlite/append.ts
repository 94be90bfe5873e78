/**
 * Appends to a journal. One transaction checks the lease epoch and the tree rule, writes the events and the summary
 * row, and removes the command that caused them from the inbox: all of that happens, or nothing.
 */
import type { Head } from '../../core/head.ts'
import type { Envelope, Fact } from '../../model/envelope.ts'
import {
  type Appended,
  type Entry,
  type FirstEntry,
  ForeignEvents,
  type JournalRow,
  type Journals,
} from '../contract.ts'
import { assertInPlace, type Database, sql, transaction } from './database.ts'
import { holderBefore, markDamaged, rebuild, writeHead } from './head.ts'
import { rowSum } from './journal.ts'
import { assertLease, grant } from './lease.ts'

export function append(database: Database, entry: Entry): Appended {
  assertInPlace(database)
  const { summary, epoch, after } = entry
  const asHost = <T>(work: () => T) =>
    transaction(database, () => {
      assertLease(database, summary.id, epoch)
      return work()
    })
  try {
    return noted(
      database,
      summary,
      asHost(() => write(database, entry)),
    )
  } catch (error) {
    // The summary keeps the number of our own last event. It does not match the journal, so every reader sees the damage.
    if (error instanceof ForeignEvents) asHost(() => markDamaged(database, { ...summary, seq: after }))
    throw error
  }
}

export function create(database: Database, first: FirstEntry): ReturnType<Journals['create']> {
  const { host, ...given } = first
  const { id } = first.summary
  const epoch = first.events[0]?.epoch ?? 1
  return transaction(database, () => {
    if (lastRow(database, id).seq > 0) return { ok: false, reason: 'exists' }
    const written = write(database, { ...given, epoch, after: 0, cause: null })
    if (written.ok) grant(database, id, { epoch, host })
    return noted(database, first.summary, written)
  })
}

function noted(database: Database, { id, seq }: Head, appended: Appended): Appended {
  if (appended.ok) database.written.set(id, seq)
  return appended
}

/** The caller has begun a transaction. */
function write(database: Database, { after, events, cause, summary, evenIfTreeBusy }: Entry): Appended {
  let { seq, sum } = lastRow(database, summary.id)
  if (seq !== after) throw notOurs(database, summary.id, { expected: after, found: seq })
  if (events.length > 0) {
    const holder = evenIfTreeBusy ? null : holderBefore(database, summary)
    if (holder) return { ok: false, reason: 'tree-busy', holder }
    for (const event of events) {
      seq += 1
      sum = insert(database, rowOf(event), { seq, before: sum })
    }
    writeHead(database, summary)
  }
  if (cause !== null) sql(database, 'delete from inbox where id = ?').run(cause)
  return { ok: true }
}

/** If this process wrote the last event itself, the mismatch is a bug; else another program wrote to the journal. */
function notOurs(database: Database, id: string, numbers: { expected: number; found: number }): Error {
  const { expected, found } = numbers
  if (database.written.get(id) !== found) return new ForeignEvents(id, numbers)
  return new Error(`Internal error: ${id} is at event ${found}, the writer at ${expected}`)
}

function rowOf({ data, ...rest }: Fact & Envelope): Omit<JournalRow, 'sum'> {
  return { ...rest, data: JSON.stringify(data) }
}

/** Returns the checksum of the row. */
function insert(
  database: Database,
  row: Omit<JournalRow, 'sum'>,
  { seq, before }: { seq: number; before: string },
): string {
  const { loop, v, at, epoch, cause, kind, data } = row
  if (row.seq !== seq) throw new Error(`Internal error: event ${row.seq} of ${loop} comes as ${seq}`)
  const sum = rowSum(before, row)
  sql(database, 'insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
    loop,
    seq,
    v,
    at,
    epoch,
    cause,
    kind,
    data,
    sum,
  )
  return sum
}

function lastRow(database: Database, id: string): { seq: number; sum: string } {
  const row = sql(database, 'select seq, sum from events where loop = ? order by seq desc limit 1').get(id)
  return row ? { seq: Number(row['seq']), sum: String(row['sum']) } : { seq: 0, sum: '' }
}

export function adopt(database: Database, rows: readonly JournalRow[]): ReturnType<Journals['adopt']> {
  const id = rows[0]?.loop ?? ''
  return transaction(database, () => {
    const last = lastRow(database, id)
    const fresh = rows.filter(({ seq }) => seq > last.seq)
    const known = rows.find(({ seq }) => seq === last.seq)
    if (fresh.length === 0 || (known && known.sum !== last.sum) || !isChain(fresh, last)) return null
    for (const [i, row] of fresh.entries())
      insert(database, row, { seq: last.seq + 1 + i, before: fresh[i - 1]?.sum ?? last.sum })
    // The summary is older than the journal now: rebuild it.
    sql(database, 'delete from summary where loop = ?').run(id)
    const rebuilt = rebuild(database, id)
    if (!rebuilt.ok) throw new Error(`Internal error: ${JSON.stringify(rebuilt.failure.facts)}`)
    const { epoch, seq: to } = fresh.at(-1) as JournalRow
    const raised = 'insert into leases values (?, ?, null) on conflict do update set epoch = max(epoch, ?)'
    sql(database, raised).run(id, epoch, epoch)
    return { from: last.seq + 1, to }
  })
}

/** Does each row follow the previous one, by its number and by its checksum? */
function isChain(rows: readonly JournalRow[], last: { seq: number; sum: string }): boolean {
  return rows.every((row, i) => {
    const before = rows[i - 1] ?? last
    return row.loop === rows[0]?.loop && row.seq === before.seq + 1 && rowSum(before.sum, row) === row.sum
  })
}
