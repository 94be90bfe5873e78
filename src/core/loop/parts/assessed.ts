/**
 * The recorded assessment of the loop. How hard its change is to undo can only rise, by a file that the agent
 * changed.
 */
import type { Assessment } from '../../../model/loop/assessment.ts'
import { isHarder } from '../../score/reversibility.ts'
import { type On, part } from './part.ts'

/** `raisedBy`: the file that made the change harder to undo than the prompt suggested. */
export type AssessedPart = Assessment & { raisedBy: string | null }

export const assessedPart = part((recorded: Assessment): AssessedPart => ({ ...recorded, raisedBy: null }), {
  'checkpoint.taken': ({ reversibility: known }, { data: { raises } }) =>
    raises && isHarder(raises.reversibility, known)
      ? { reversibility: raises.reversibility, raisedBy: raises.path }
      : null,
} satisfies On<AssessedPart>)
