/**
 * Appending to the journal. One transaction checks the lease epoch, writes the events and the summary row,
 * and takes the command that caused them out of the inbox: all of it happened, or none.
 */
import { fold } from '../../core/loop/evolve.ts'
import { isOpen, type Summary, summarize } from '../../core/loop/summary.ts'
import { ok, type Result } from '../../model/failure.ts'
import { type Event, event as eventSchema, type Recorded } from '../../model/loop/event.ts'
import { eventVersion } from '../../model/version.ts'
import { sumOf } from '../files/checksum.ts'
import { assertInPlace, type Store, sql, transaction } from './database.ts'
import { read, rowSum } from './journal.ts'
import { holderOf } from './summary.ts'

export type Entry = {
  loop: string
  epoch: number
  /** The sequence number of the last event the writer knows; anything newer makes the append a bug. */
  after: number
  at: number
  events: Event[]
  /** The command these events answer; it leaves the inbox in the same transaction. */
  cause: string | null
  /** Called inside the transaction with the events as recorded; must be pure. */
  summarize(recorded: Recorded[]): Summary
}

/** Somebody else hosts the loop now: the writer must stop driving it. */
export class LeaseLost extends Error {
  constructor(loop: string) {
    super(`The loop ${loop} is hosted by another process now`)
  }
}

export function append(store: Store, entry: Entry): Recorded[] {
  assertInPlace(store)
  return transaction(store, () => {
    assertLease(store, entry.loop, entry.epoch)
    return writeEntry(store, entry)
  })
}

/** Appends unless another loop holds the work tree. One transaction does both, so no loop can begin in between. */
export function appendAlone(
  store: Store,
  entry: Entry,
  cwd: string,
): { recorded: Recorded[] } | { heldBy: Summary } {
  assertInPlace(store)
  return transaction(store, () => {
    const heldBy = holderOf(store, cwd, entry.loop)
    if (heldBy) return { heldBy }
    assertLease(store, entry.loop, entry.epoch)
    return { recorded: writeEntry(store, entry) }
  })
}

/** Inside a transaction: throws when somebody else hosts the loop now. */
function assertLease(store: Store, loop: string, epoch: number): void {
  const lease = sql(store, 'select epoch from leases where loop = ?').get(loop)
  if (lease?.['epoch'] !== epoch) throw new LeaseLost(loop)
}

/** The write of an append, for a caller that already holds a transaction and has made the lease. */
export function writeEntry(store: Store, entry: Entry): Recorded[] {
  let { seq, sum } = lastRow(store, entry.loop)
  if (seq !== entry.after) {
    throw new Error(`Internal error: ${entry.loop} is at event ${seq}, the writer at ${entry.after}`)
  }
  const recorded = entry.events.map(body => {
    const { kind, data } = eventSchema.parse(body)
    seq += 1
    const row = {
      v: eventVersion,
      seq,
      at: entry.at,
      loop: entry.loop,
      epoch: entry.epoch,
      cause: entry.cause,
    }
    const text = JSON.stringify(data)
    sum = rowSum(sum, { ...row, kind, text })
    sql(store, 'insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      row.loop,
      seq,
      row.v,
      row.at,
      row.epoch,
      row.cause,
      kind,
      text,
      sum,
    )
    return { ...row, kind, data } as Recorded
  })
  if (entry.cause !== null) sql(store, 'delete from inbox where id = ?').run(entry.cause)
  if (recorded.length > 0) writeSummary(store, entry.summarize(recorded))
  return recorded
}

function lastRow(store: Store, loop: string): { seq: number; sum: string } {
  const row = sql(store, 'select seq, sum from events where loop = ? order by seq desc limit 1').get(loop)
  return row ? { seq: Number(row['seq']), sum: String(row['sum']) } : { seq: 0, sum: '' }
}

function writeSummary(store: Store, summary: Summary): void {
  const body = JSON.stringify(summary)
  sql(store, 'insert or replace into summary values (?, ?, ?, ?, ?, ?, ?, ?)').run(
    summary.id,
    summary.seq,
    summary.status,
    isOpen(summary.status) || summary.holdsTree ? 1 : 0,
    summary.cwd,
    summary.createdAt,
    body,
    sumOf(body),
  )
}

/** Writes the summary row of a loop anew from its journal, for a caller that holds a transaction. */
export function rebuildSummary(store: Store, loop: string): Result<Summary> {
  const events = read(store, loop)
  if (!events.ok) return events
  const summary = summarize(fold(events.value))
  writeSummary(store, summary)
  return ok(summary)
}

/** A loop whose journal can not be read any more: it has crashed, and its work tree is free. */
export function markDamaged(store: Store, summary: Summary): void {
  const ended = { endedAt: summary.endedAt ?? Date.now(), holdsTree: false }
  writeSummary(store, { ...summary, ...ended, status: 'crashed', reason: 'store-damaged', detail: '' })
}
