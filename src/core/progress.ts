/**
 * Whether an iteration has brought the work forward: a criterion newly met, or fewer failing tests than ever
 * before. Against the fewest so far, not the last count: 4, 3, 4, 3 goes in circles.
 */
import type { CriterionResult } from '../model/event.ts'

export function hasProgressed(
  before: readonly CriterionResult[],
  after: readonly CriterionResult[],
  fewest: Record<string, number>,
): boolean {
  return after.some(({ name, verdict, failing }) => {
    const wasMet = before.some(result => result.name === name && result.verdict === 'PASS')
    if (verdict === 'PASS') return !wasMet
    const least = fewest[name]
    return failing !== null && failing > 0 && least !== undefined && failing < least
  })
}

/** The fewest failing tests each criterion has ever had, where its runner counts them. */
export function fewestFailing(
  fewest: Record<string, number>,
  results: readonly CriterionResult[],
): Record<string, number> {
  const next = { ...fewest }
  for (const { name, failing, verdict } of results) {
    if (failing === null || failing === 0 || verdict === 'PASS') continue
    next[name] = Math.min(failing, next[name] ?? Number.POSITIVE_INFINITY)
  }
  return next
}

export function sameUnmet(before: readonly CriterionResult[], after: readonly CriterionResult[]): boolean {
  return unmet(before).join('\n') === unmet(after).join('\n')
}

export function unmet(results: readonly CriterionResult[]): string[] {
  return results.filter(({ verdict }) => verdict !== 'PASS').map(({ name }) => name)
}

/** What the failures of all criteria together come down to; null when none of them printed anything. */
export function signatureOf(results: readonly CriterionResult[]): string | null {
  const signatures = results
    .filter(({ verdict }) => verdict !== 'PASS')
    .map(({ name, signature }) => (signature ? `${name}: ${signature}` : null))
    .filter(signature => signature !== null)
  return signatures.length === 0 ? null : signatures.join('\n')
}
