/**
 * The recorded assessment of the loop. How hard its change is to undo can only rise, by a file that the agent
 * changed. For journals without a recorded assessment it is derived from the prompt.
 */
import type { Assessment } from '../../../model/loop/assessment.ts'
import type { Spec } from '../../../model/loop/spec.ts'
import { isHarder } from '../../score/reversibility.ts'
import { assess } from '../assess/assess.ts'
import { type On, part } from './part.ts'

/** `raisedBy`: the file that made the change harder to undo than the prompt suggested. */
export type AssessedPart = Assessment & { raisedBy: string | null }

export const assessedPart = part((spec: Spec): AssessedPart => ({ ...assess(spec), raisedBy: null }), {
  'checkpoint.taken': ({ reversibility: known }, { data: { raises } }) =>
    raises && isHarder(raises.reversibility, known)
      ? { reversibility: raises.reversibility, raisedBy: raises.path }
      : null,
} satisfies On<AssessedPart>)
