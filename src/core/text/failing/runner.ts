/**
 * The type of a test runner for `failing`: two ways to read its output lines. Null: the lines are not its
 * output.
 */

export type Runner = {
  /**
   * The number from its own summaries, added up over several runs. They are at the end, so they survive a cut
   * of the output.
   */
  summary(lines: readonly string[]): number | null
  /** Failures counted line by line, for a run without its summary. Here zero failures means unknown. */
  oneByOne(lines: readonly string[]): number | null
}

/** The number for a kind in a summary such as `2 failed, 3 passed`. */
export function numberOf(kind: string, summary: string): number {
  return Number(new RegExp(`(\\d{1,9}) ${kind}\\b`).exec(summary)?.[1] ?? 0)
}

export function orNull(count: number): number | null {
  return count > 0 ? count : null
}
