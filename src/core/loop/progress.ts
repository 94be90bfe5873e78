/**
 * Whether an iteration has brought the work forward: a criterion newly met, or fewer failing tests than ever
 * before. Against the fewest so far, not the last count: 4, 3, 4, 3 goes in circles. Only where there are many
 * more failing than ever the count begins anew: 1, 40, 12, 3 is a suite that did not load at first.
 */
import type { CriterionResult } from '../../model/loop/event.ts'

export function hasProgressed(
  before: readonly CriterionResult[],
  after: readonly CriterionResult[],
  failures: Record<string, Failing>,
): boolean {
  return after.some(({ name, verdict, failing }) => {
    const wasMet = before.some(result => result.name === name && result.verdict === 'PASS')
    if (verdict === 'PASS') return !wasMet
    const least = failures[name]?.fewest
    return failing !== null && failing > 0 && least !== undefined && failing < least
  })
}

/** The most failing tests a criterion has ever had, and the fewest since then. */
export type Failing = { most: number; fewest: number }

/** Where its runner counts them. */
export function countFailing(
  known: Record<string, Failing>,
  results: readonly CriterionResult[],
): Record<string, Failing> {
  const next = { ...known }
  for (const { name, failing, verdict } of results) {
    if (failing === null || failing === 0 || verdict === 'PASS') continue
    const { most, fewest } = next[name] ?? { most: 0, fewest: failing }
    const anew = failing > 2 * most
    next[name] = { most: Math.max(failing, most), fewest: anew ? failing : Math.min(failing, fewest) }
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
