/**
 * The contract of the store, which is synchronous and local. Each call is one transaction and durable when it returns;
 * no `await` happens inside. `append` gets complete events and a complete summary, so the store needs no schema and
 * knows no machine. This file has types and errors only; store/sqlite implements them, test/conformance/store tests it.
 *
 * A call throws where the store cannot be used right now (store/failures tells what the error means). Damage of one
 * journal is a failure of calls about that journal only.
 */
import type { Head } from '../core/head.ts'
import type { Brief, Status } from '../core/loop/summary.ts'
import type { Summary } from '../core/summary.ts'
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
  /** What is wrong with the store as a whole, or null. Reads the whole file. */
  problem(): string | null
  close(): void
}

/** Another host has the lease now: the writer must stop driving the journal. */
export class LeaseLost extends Error {
  constructor(id: string) {
    super(`The loop ${id} is hosted by another process now`)
  }
}

/**
 * The journal has events that its host did not write, though nobody else may: some other program wrote to the store.
 * When this is thrown, the loop is already recorded as damaged.
 */
export class ForeignEvents extends Error {
  constructor(id: string, { expected, found }: { expected: number; found: number }) {
    super(
      `The journal of loop ${id} ends with event ${found}, and the process that hosts it wrote ${expected}: something else has written to it. It is not to be believed, so the loop is recorded as damaged and its processes are ended. Its output and checkpoints are still there`,
    )
  }
}

/** The store was removed or replaced while it was open: writes would be lost. */
export class StoreReplaced extends Error {}

export type Journals = {
  /** Creates a journal with its first events and its lease, unless one with this id exists. */
  create(first: FirstEntry): Appended | { ok: false; reason: 'exists' }
  /**
   * Throws LeaseLost where the epoch is not current, StoreReplaced where the store is another file now, ForeignEvents
   * where the journal has events that its host did not write.
   */
  append(entry: Entry): Appended
  /** All events, each checked against the previous one. */
  read(id: string): Result<Recorded[]>
  /** The events after number `after`, up to which the caller has read and checked them; at most `most`. */
  readAfter(id: string, after: number, most?: number): Result<Recorded[]>
  /** The events of these kinds after number `after`, without checking checksums: to show, never to fold. */
  ofKinds(id: string, kinds: readonly Recorded['kind'][], after: number): Pick<Recorded, 'seq' | 'data'>[]
  /** The events that follow the previous one, and the numbers of those that are damaged or missing. */
  survey(id: string): { events: Recorded[]; bad: number[] }
  /** The number of the last event, readable or not. */
  lastSeq(id: string): number
  /** The ids of all journals, readable or not. */
  ids(): string[]
  /** The members of a group. */
  inGroup(group: string): string[]
  /**
   * Adds rows of a journal that come from elsewhere and continue the ones here, and rebuilds the summary. Returns the
   * numbers of the new rows. Null, and nothing is changed, where there is nothing new or the checksums do not connect.
   */
  adopt(rows: readonly JournalRow[]): { from: number; to: number } | null
}

export type Entry = {
  epoch: number
  /** The number of the last event the writer knows; a newer one in the journal is an error. */
  after: number
  /** In their envelopes, numbered from `after` + 1. */
  events: readonly (Fact & Envelope)[]
  /** The command that caused the events; it is removed from the inbox in the same transaction. */
  cause: string | null
  /** The summary after these events: a head and the body of its kind. Not written where there are no events. */
  summary: Head
  /** Skips the tree rule: a cancel only ends what is there, so it is recorded though another journal holds the tree. */
  evenIfTreeBusy?: boolean
}

/** `host`: the host of the new journal; null for one that is queued. */
export type FirstEntry = Pick<Entry, 'events' | 'summary' | 'evenIfTreeBusy'> & { host: string | null }

/**
 * The tree rule: an append that turns `holdsTree` of the head to true is refused while another journal holds an
 * overlapping tree, unless both belong to one group. Check and write are one transaction, so nobody can begin between.
 */
export type Appended = { ok: true } | { ok: false; reason: 'tree-busy'; holder: Head }

/** A stored row: `data` is JSON text, `sum` is the checksum of the row and the previous checksum. */
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

/** Heads and the bodies of their kinds. */
export type Heads = {
  /** By id, by a unique prefix of it, or `@last`: the newest that is no member of a group. */
  find(name: string): Result<Summary>
  /** Only the id, which can be found even if the rest is damaged. */
  findId(name: string): Result<string>
  get(id: string): Result<Summary>
  /** The status only, without reading the whole row; null for an unknown journal. */
  status(id: string): Status | null
  list(choice: Choice): Listed
  /** The members of these groups, oldest first. */
  members(groups: readonly string[]): Listed
  /** Only what a line of a table shows: reads a tenth of the bytes. */
  briefs(choice: Choice): Listed<Brief>
  /** Every journal that is open, or whose last event is not older than `since`; newest first. */
  touched(since: number): Listed
  /** The newest journal of this directory, else of the nearest directory above that has one; for a member, its group. */
  newestAt(directory: string): string | null
  /** Every journal that has not ended or holds a tree, and those with the status `also`; without reading whole rows. */
  open(also?: Status): { id: string; seq: number; status: Status }[]
  /** How many journals, or journals of one kind, have each status. */
  count(kind?: string): Map<Status, number>
  /** Another journal that holds this tree, or one that overlaps it; see `Appended`. */
  holder(cwd: string, asking: Pick<Head, 'id' | 'group'> | null): Head | null
  /** The journal that a queued one must wait for: it holds the tree, or loopd still has to run its hook there. */
  ahead(queued: Head): Head | null
  /**
   * The summary folded from the journal, and whether the stored row agrees. Rows of different shapes are compared by
   * the fields they have in common.
   */
  audit(id: string): Result<{ summary: Summary; isTrue: boolean }>
  /** Writes the summary row again, from the journal. */
  rebuild(id: string): Result<Summary>
  /** Records that the journal cannot be read any more: the loop has crashed, and its tree is free. */
  markDamaged(summary: Summary): void
}

/**
 * `all`: newest first. `current`: every journal that has not ended, then so many of the newest that have. `near`: a
 * directory whose journals come first, with those of trees above and below it. `members`: also list members of groups,
 * which else appear only as part of their group.
 */
export type Choice = ({ all: Filter } | { current: number }) & { near?: string; members?: true }

export type Filter = { status?: readonly Status[]; agent?: string; since?: number; limit?: number }

export type Listed<T extends Brief = Summary> = { summaries: T[]; damaged: string[] }

/** Commands for a journal, kept until its host has handled them: the append that answers a command removes it. */
export type Inbox = {
  send(sent: Sent): void
  /** Takes a command back; false where the host was faster. */
  withdraw(id: string): boolean
  /** In the order in which they were sent, independent of the clock. */
  pending(journal: string): Sent[]
  /** The journals that have commands waiting. */
  waiting(): string[]
}

/** `command`: any JSON value, for the host to validate; null where it is damaged. */
type Sent = { id: string; loop: string; at: number; command: unknown }

/** A process that can hold leases as long as it lives (store/sqlite/lock). */
export type Host = { id: string; release(): void }

export type Leases = {
  /** Takes the lease of a journal unless a living host has it. Taking it raises the epoch. */
  take(id: string, host: Host): { held: true; epoch: number } | { held: false; by: string }
  /** Takes the leases of many journals at once, except those that a living host has. */
  takeMany(ids: readonly string[], host: Host): void
  release(id: string, epoch: number): void
  /** The living host of a journal; null without one. */
  hostOf(id: string): string | null
  /** `hostOf` for many journals: leases are read once, and the lock of each host is asked once. */
  finder(): ((id: string) => string | null) & {
    /** Whether loopd runs; its lock is asked once. */
    daemonRuns(): boolean
  }
  /** Writes a lease unchanged, to find out whether the store can be written: throws where it cannot. */
  prove(id: string): void
}

export type ChangeLog = {
  /** A value that changes when another connection writes; costs microseconds. */
  byOthers(): number
  /** A value that changes when any connection writes, this one included. */
  byAny(): string
  /** The newest revision. */
  revision(): number
  /** One row for every journal whose summary was written after a revision, oldest first. */
  after(revision: number): { rev: number; id: string; seq: number }[]
}

/** Up to which event of each journal the user has been notified. */
export type Notified = {
  mark(id: string, seq: number): void
  /** The journals that have events of these kinds after number `after`, the last that was told. */
  missed(kinds: readonly string[]): { loop: string; after: number }[]
}
