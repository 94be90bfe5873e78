/** What a runner is to `failing`: two ways to read the lines it printed. Null: this is not its output. */

export type Runner = {
  /** From its own summaries, added up when it ran several times. They stand at the end, so they survive a cut. */
  summary(lines: readonly string[]): number | null
  /** Failures counted one by one: for a run that ended before its summary. Then none seen means nothing known. */
  oneByOne(lines: readonly string[]): number | null
}

/** How many there are of a kind in a summary such as `2 failed, 3 passed`. */
export function numberOf(kind: string, summary: string): number {
  return Number(new RegExp(`(\\d{1,9}) ${kind}\\b`).exec(summary)?.[1] ?? 0)
}

export function orNull(count: number): number | null {
  return count > 0 ? count : null
}
