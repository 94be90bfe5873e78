/**
 * The kinds of journals, each with the fold that makes its summary from events. It serves readers that have
 * events but do not write, such as the store when it rebuilds a damaged row. It stays light: no schemas, no
 * decisions. The compiler checks that wiring/world has a machine for the same kinds.
 */
import type { Envelope } from '../model/envelope.ts'
import { beginGroup, evolveGroup } from './group/evolve.ts'
import type { GroupKinds } from './group/machine.ts'
import { summarizeGroup } from './group/summary.ts'
import { begin, evolve } from './loop/evolve.ts'
import type { LoopKinds } from './loop/machine.ts'
import { summarize } from './loop/summary.ts'
import { type Fold, type Kinds, replay } from './machine.ts'
import type { Summary } from './summary.ts'

export type Folds = Record<string, Fold<Kinds>>

const loop = { begin, evolve, summarize }
const group = { begin: beginGroup, evolve: evolveGroup, summarize: summarizeGroup }

export const folds = { loop, group } satisfies Folds

/** The types of each kind of journal. */
export type KindsOf = { loop: LoopKinds; group: GroupKinds }

export type JournalKind = keyof KindsOf

/** The kind of a journal: the part of its first event's name before the dot. */
export function journalKind(first: { kind: string } | undefined): string {
  return first?.kind.split('.')[0] ?? ''
}

/** The kind by which a person acts on a journal; one that only a newer loop knows is refused as no loop. */
export function meantKind({ kind }: { kind: string }): JournalKind {
  return Object.hasOwn(folds, kind) ? (kind as JournalKind) : 'loop'
}

/** The entry of a kind; null if this version does not know the kind. */
export function known<T>(kinds: Record<string, T>, kind: string): T | null {
  return Object.hasOwn(kinds, kind) ? (kinds[kind] ?? null) : null
}

/** The summary made of these events; null if `among` has no fold for their kind. */
export function summaryFrom(among: Folds, events: readonly (Kinds['event'] & Envelope)[]): Summary | null {
  const fold = known(among, journalKind(events[0]))
  return fold && (fold.summarize(replay(fold, events)) as Summary)
}
