/**
 * From the kind of a journal to the fold that makes its summary: for whoever has events and no writer, as the store
 * has that rebuilds a damaged row. Light on purpose: no schema, no decisions.
 */
import type { Recorded } from '../model/loop/event.ts'
import { fold } from './loop/evolve.ts'
import { type Summary, summarize } from './loop/summary.ts'

const folds: Record<string, (events: readonly Recorded[]) => Summary> = {
  loop: events => summarize(fold(events)),
}

/** Null where this version does not know the kind of journal that these events are. */
export function summaryFrom(events: readonly Recorded[]): Summary | null {
  const kind = events[0]?.kind.split('.')[0] ?? ''
  return folds[kind]?.(events) ?? null
}
