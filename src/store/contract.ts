/**
 * The contract of the store: one synchronous, local value. Each call is one transaction, durable when it returns;
 * nothing awaits inside one. `append` gets everything finished, so the store needs no schema and knows no machine.
 * Types and errors only; what keeps the contract is in store/sqlite, and test/conformance/store holds it to it.
 *
 * A call throws where the store cannot be used right now (store/failures says what such an error means); damage of
 * one journal is a failure of that journal alone.
 */
import type { Head } from '../core/head.ts'
import type { Brief, Status, Summary } from '../core/loop/summary.ts'
import type { Envelope, Fact } from '../model/envelope.ts'
import type { Result } from '../model/failure.ts'
import type { Recorded } from '../model/loop/event.ts'
import type { Paths } from './files/paths.ts'

export type Store = {
  paths: Paths
  journals: Journals
  heads: Heads
  inbox: Inbox
  leases: Leases
  changes: ChangeLog
  notified: Notified
  /** What is wrong with the store as a whole, or null; reads all of it. */
  problem(): string | null
  close(): void
}

/** Somebody else hosts the journal now: the writer must stop driving it. */
export class LeaseLost extends Error {
  constructor(id: string) {
    super(`The loop ${id} is hosted by another process now`)
  }
}

/**
 * The journal is not as its host left it, though nobody else may write to it: by another hand than loop's. The loop
 * is recorded as damaged by then.
 */
export class ForeignEvents extends Error {
  constructor(id: string, { expected, found }: { expected: number; found: number }) {
    super(
      `The journal of loop ${id} ends with event ${found}, and the process that hosts it wrote ${expected}: something else has written to it. It is not to be believed, so the loop is recorded as damaged and its processes are ended. Its output and checkpoints are still there`,
    )
  }
}

/** The store was removed or replaced while it was open: what is written goes nowhere. */
export class StoreReplaced extends Error {}

export type Journals = {
  /** Creates a journal with its first events and its lease, unless there is one of this id. */
  create(first: FirstEntry): Appended | { ok: false; reason: 'exists' }
  /**
   * Throws LeaseLost where the epoch has passed, StoreReplaced where the store is not the one it was, ForeignEvents
   * where the journal is not as its host left it.
   */
  append(entry: Entry): Appended
  /** All events, each checked against the one before it. */
  read(id: string): Result<Recorded[]>
  /** The events after `after`, which the caller has already read and checked; at most `most` of them. */
  readAfter(id: string, after: number, most?: number): Result<Recorded[]>
  /** Of the events after `after` those of these kinds, unchecked: for a look, never for a fold. */
  ofKinds(id: string, kinds: readonly Recorded['kind'][], after: number): Pick<Recorded, 'seq' | 'data'>[]
  /** The events that fit the one before them, and the numbers of those that are damaged or missing. */
  survey(id: string): { events: Recorded[]; bad: number[] }
  /** How many events there are, readable or not. */
  lastSeq(id: string): number
  /** Of every journal, readable or not. */
  ids(): string[]
  /** The members of a group. */
  inGroup(group: string): string[]
  /**
   * Takes over the rows of a journal from elsewhere that go on from what is here, with the summary they lead to;
   * the numbers of those that were new. Null where there is nothing new or the chains of sums differ: then what is
   * here stays.
   */
  adopt(rows: readonly JournalRow[]): { from: number; to: number } | null
}

export type Entry = {
  epoch: number
  /** The number of the last event the writer knows; anything newer makes the append a bug. */
  after: number
  /** In their envelopes, numbered from `after` + 1. */
  events: readonly (Fact & Envelope)[]
  /** The command these events answer; it leaves the inbox in the same transaction. */
  cause: string | null
  /** What the events lead to, a head and the body of its kind; not written where there are none. */
  summary: Head
  /** A cancel is recorded though another journal holds the tree: it only ends what is there. */
  evenIfTreeBusy?: boolean
}

/** `host`: who hosts it; null for one that waits for its turn. */
export type FirstEntry = Pick<Entry, 'events' | 'summary' | 'evenIfTreeBusy'> & { host: string | null }

/**
 * The tree rule: a journal whose head turns to `holdsTree` is refused while another holds an overlapping tree, unless
 * the two belong to one group. One transaction checks and writes, so no other can begin in between.
 */
export type Appended = { ok: true } | { ok: false; reason: 'tree-busy'; holder: Head }

/** A row as it is stored: `data` is JSON text, `sum` covers the row and the sum before it. */
export type JournalRow = {
  loop: string
  seq: number
  v: number
  at: number
  epoch: number
  cause: string | null
  kind: string
  data: string
  sum: string
}

/** A row of another kind than a loop is read as its head, with a blank body. */
export type Heads = {
  /** By id, a unique prefix of it, or `@last`, the newest that is no member of a group. */
  find(name: string): Result<Summary>
  /** The id alone, which is known however damaged the rest is. */
  findId(name: string): Result<string>
  get(id: string): Result<Summary>
  /** As it stands now; no row is read whole. */
  status(id: string): Status | null
  list(choice: Choice): Listed
  /** The members of these groups, oldest first. */
  members(groups: readonly string[]): Listed
  /** As much of each as a line of a table needs: reads a tenth of the bytes. */
  briefs(choice: Choice): Listed<Brief>
  /** Every journal that is open, or has an event of this moment or later; newest first. */
  touched(since: number): Listed
  /** The newest journal of this directory, or else of the nearest above it that has one; of a member, its group. */
  newestAt(directory: string): string | null
  /** Every journal that has not ended or holds a tree, and those of these statuses; no row is read whole. */
  open(also?: Status): { id: string; seq: number; status: Status }[]
  /** Of all journals, or of one kind. */
  count(kind?: string): Map<Status, number>
  /** Another journal that holds this tree, one above it or one below it; see `Appended`. */
  holder(cwd: string, asking: Pick<Head, 'id' | 'group'> | null): Head | null
  /** Whom a queued journal lets go first: who holds its tree, and one of the background that has a hook to run there. */
  ahead(queued: Head): Head | null
  /** What the journal says, and whether the stored row says the same. A row of another shape is compared by the fields both have. */
  audit(id: string): Result<{ summary: Summary; isTrue: boolean }>
  /** Writes the row anew from the journal. */
  rebuild(id: string): Result<Summary>
  /** Its journal cannot be read any more: it has crashed, and its tree is free. */
  markDamaged(summary: Summary): void
}

/**
 * Of all: newest first. Current: every one that has not ended, then so many of the newest that have. `near`: a
 * directory whose journals come before the others: those of its own, of a tree above it, or of one below it.
 * A member of a group is part of its group and no row, except with `members`.
 */
export type Choice = ({ all: Filter } | { current: number }) & { near?: string; members?: true }

export type Filter = { status?: readonly Status[]; agent?: string; since?: number; limit?: number }

export type Listed<T extends Brief = Summary> = { summaries: T[]; damaged: string[] }

/** Commands for a journal, kept until its host has admitted them; a command leaves with the append that answers it. */
export type Inbox = {
  send(sent: Sent): void
  /** Takes a command back; false when its host has been faster. */
  withdraw(id: string): boolean
  /** In the order they were sent, whatever the clock said. */
  pending(journal: string): Sent[]
  /** The journals that have something in their inbox. */
  waiting(): string[]
}

/** `command`: any JSON value, for the host to validate; null where it is damaged. */
type Sent = { id: string; loop: string; at: number; command: unknown }

/** A process that may hold leases for as long as it lives: see store/sqlite/lock. */
export type Host = { id: string; release(): void }

export type Leases = {
  /** Takes the lease of a journal if nobody alive holds it; each taking raises the epoch. */
  take(id: string, host: Host): { held: true; epoch: number } | { held: false; by: string }
  /** The leases of many at once: those among them that nobody alive holds. */
  takeMany(ids: readonly string[], host: Host): void
  release(id: string, epoch: number): void
  /** The living host of a journal. */
  hostOf(id: string): string | null
  /** The same for many: the leases are read at once, and each host is asked once. */
  finder(): (id: string) => string | null
  /** Writes what is there already; throws where nothing can be written. */
  prove(id: string): void
}

export type ChangeLog = {
  /** Changes when another connection has written: asking costs microseconds. */
  byOthers(): number
  /** Changes when any connection has written, this one included. */
  byAny(): string
  /** The newest revision. */
  revision(): number
  /** Every journal whose summary was written after a revision, oldest first; one row for each. */
  after(revision: number): { rev: number; id: string; seq: number }[]
}

/** How far the user has been told what is in each journal. */
export type Notified = {
  mark(id: string, seq: number): void
  /** The journals with events of these kinds after the last that was told, and where that was. */
  missed(kinds: readonly string[]): { loop: string; after: number }[]
}
