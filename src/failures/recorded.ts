/**
 * The words of recorded facts. A journal can be of a newer version: facts of a kind that is not in the table are shown
 * by the text that was recorded beside them.
 */
import type { RecordedFacts } from '../model/recorded-facts.ts'

/** A clause for each kind of facts. */
export type Clauses<F> = { [K in keyof F]: (facts: F[K]) => string }

export function recordedWords<F>(clauses: Clauses<F>, { facts, why = '' }: RecordedFacts): string {
  if (!facts || !Object.hasOwn(clauses, facts.kind)) return why
  // The table pairs each kind with its own facts; a lookup by name loses that pairing.
  const clause = clauses[facts.kind as keyof F] as (known: object) => string
  return clause(facts)
}
