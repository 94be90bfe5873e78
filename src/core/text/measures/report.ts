/** The type of a coverage report for `coverage`: how to read its percentage. */

/** The percentage; null if the text is in another format. */
export type CoverageReport = (text: string) => number | null

/** Nothing to cover gives no percentage. */
export function share(covered: number, total: number): number | null {
  return total > 0 && covered >= 0 && covered <= total ? (100 * covered) / total : null
}
