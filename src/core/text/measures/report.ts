/** What a coverage report is to `coverage`: how its percent is read. */

/** Percent, or null where the text is something else. */
export type CoverageReport = (text: string) => number | null

/** Of nothing, no share can be said. */
export function share(covered: number, total: number): number | null {
  return total > 0 && covered >= 0 && covered <= total ? (100 * covered) / total : null
}
