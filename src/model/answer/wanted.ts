/** Tells whether a loop is a question: its only criterion is an answer that fits a schema. */
import type { Criterion, Spec } from '../loop/spec.ts'

export type WantedAnswer = NonNullable<Criterion['answer']>

export function wantedAnswer({ criteria }: Pick<Spec, 'criteria'>): WantedAnswer | null {
  return criteria.find(({ answer }) => answer !== undefined)?.answer ?? null
}
