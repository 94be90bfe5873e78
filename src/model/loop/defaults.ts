/**
 * The defaults of waits that the rules of a loop need as well as the options: a spec can lack these fields, and then
 * these values apply. The table of options (options/table) shows them; no other file repeats them.
 */

/**
 * Waiting at a usage limit without a known end: the first wait, doubled each time up to the longest, and the
 * limit on all waits together.
 */
export const limitWaits = { firstMs: 60_000, longestMs: 30 * 60_000, allMs: 24 * 3_600_000 }
