/**
 * The defaults that the rules of a loop need too: the spec of an older journal may lack these fields, and then
 * means the same. The table of options (options/table) shows them; nothing else names them.
 */
import type { BreakerLimits } from './spec.ts'

/** How often in a row something may happen before a breaker stops the loop. */
export const defaultLimits: BreakerLimits = {
  stuck: 5,
  sameError: 3,
  sameFile: 20,
  noChange: 3,
  agentErrors: 3,
  promiseErrors: 3,
}

/** At a usage limit: the first wait where no time is named, which doubles up to the longest; all waits together. */
export const limitWaits = { firstMs: 60_000, longestMs: 30 * 60_000, allMs: 24 * 3_600_000 }
