/** What was asked for: as it was when the loop was created, with the limits that were changed since then. */
import type { Spec } from '../../../model/loop/spec.ts'
import { type On, part } from './part.ts'

export const specPart = part((spec: Spec) => spec, {
  'loop.resumed': (_, { data: { maxIterations, budgetUsd, attended } }) => ({
    ...(maxIterations !== undefined && { maxIterations }),
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(attended !== undefined && { attended }),
  }),
} satisfies On<Spec>)
