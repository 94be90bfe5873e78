/**
 * The summary of any journal: its head and the body of its kind. A list needs heads only; who shows one journal asks
 * for what its kind has by a table with a row for each kind (`byKind`), never by a question about the kind.
 */
import type { GroupBody, GroupSummary } from './group/summary.ts'
import type { Head } from './head.ts'
import type { LoopBody, LoopSummary } from './loop/summary.ts'

/** Stands for every kind that only a newer loop knows: of these there is a head and nothing else. */
type NewerKind = 'kind of a newer loop'

type Summaries = {
  loop: LoopSummary
  group: GroupSummary
  newer: Head & { kind: NewerKind }
}

export type Summary = Summaries[keyof Summaries]

/** A summary whose kind does not matter: what it does not have is absent. */
export type AnySummary = Head & Partial<LoopBody> & Partial<GroupBody>

/** One function for each kind of journal. */
export type ByKind<T, More extends unknown[] = []> = {
  [K in keyof Summaries]: (summary: Summaries[K], ...more: More) => T
}

/** Calls the row of the summary's kind. */
export function byKind<T, More extends unknown[]>(
  table: ByKind<T, More>,
  summary: Summary,
  ...more: More
): T {
  const kind = Object.hasOwn(table, summary.kind) ? (summary.kind as keyof Summaries) : 'newer'
  return (table[kind] as (summary: Summary, ...more: More) => T)(summary, ...more)
}
