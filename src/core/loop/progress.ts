/**
 * Decides whether an iteration made progress: a newly met criterion, or fewer failing tests than ever before.
 * The comparison is with the fewest so far, not with the last count: 4, 3, 4, 3 is a circle. Only a count far
 * above the highest so far starts the comparison again: 1, 40, 12, 3 is a suite that did not load at first.
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

/** The most failing tests that a criterion ever had, and the fewest since then. */
export type Failing = { most: number; fewest: number }

/** Updates the counts of criteria whose runner reports failing tests. */
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

/** The combined error signature of all failed criteria; null if none of them printed anything. */
export function signatureOf(results: readonly CriterionResult[]): string | null {
  const signatures = results
    .filter(({ verdict }) => verdict !== 'PASS')
    .map(({ name, signature }) => (signature ? `${name}: ${signature}` : null))
    .filter(signature => signature !== null)
  return signatures.length === 0 ? null : signatures.join('\n')
}
