/**
 * The kinds of journals there are, each with the fold that makes its summary: for whoever has events and no writer,
 * as the store has that rebuilds a damaged row. Light on purpose: no schema, no decisions. The machines of the world
 * have the same keys, which the compiler holds (wiring/world).
 */
import type { Envelope } from '../model/envelope.ts'
import { beginGroup, evolveGroup } from './group/evolve.ts'
import { summarizeGroup } from './group/summary.ts'
import type { Head } from './head.ts'
import { begin, evolve } from './loop/evolve.ts'
import { summarize } from './loop/summary.ts'
import { type Fold, type Kinds, replay } from './machine.ts'

export type Folds = Record<string, Fold<Kinds>>

const loop = { begin, evolve, summarize }
const group = { begin: beginGroup, evolve: evolveGroup, summarize: summarizeGroup }

export const folds = { loop, group } satisfies Folds

export type JournalKind = keyof typeof folds

/** The kind of a journal is how its first event begins. */
export function journalKind(first: { kind: string } | undefined): string {
  return first?.kind.split('.')[0] ?? ''
}

/** What stands for a kind; null where this version does not know it. */
export function known<T>(kinds: Record<string, T>, kind: string): T | null {
  return Object.hasOwn(kinds, kind) ? (kinds[kind] ?? null) : null
}

/** Null where the kind of journal that these events are is not among the folds. */
export function summaryFrom(among: Folds, events: readonly (Kinds['event'] & Envelope)[]): Head | null {
  const fold = known(among, journalKind(events[0]))
  return fold && fold.summarize(replay(fold, events))
}
