/** What the loop was given: its spec, with the limits and the agent that were changed since, and its assessment. */

import type { Assessment } from '../../../model/loop/assessment.ts'
import type { AgentChoice, Spec } from '../../../model/loop/spec.ts'
import { isHarder } from '../../reversibility.ts'
import { type On, part, type RecordedOf } from './part.ts'

export const specPart = part((spec: Spec) => spec, { 'loop.resumed': resumed } satisfies On<Spec>)

/** A new agent inherits no settings of the one before it: no model, price or fallbacks. */
const noAgent: Omit<AgentChoice, 'agent' | 'agentCmd'> = {
  agentNotes: undefined,
  model: undefined,
  contextMode: undefined,
  fallbacks: undefined,
  price: undefined,
}

/** The fields that a resume can change besides the agent. */
export const resumable = [
  'maxIterations',
  'budgetUsd',
  'timeoutMs',
  'idleTimeoutMs',
  'verifyTimeoutMs',
  'maxWaitMs',
  'sandbox',
  'passEnv',
  'attended',
] as const satisfies (keyof Spec)[]

function resumed(_: Spec, { data }: RecordedOf<'loop.resumed'>): Partial<Spec> {
  const named = resumable.filter(name => data[name] !== undefined).map(name => [name, data[name]])
  return { ...Object.fromEntries(named), ...(data.agent && { ...noAgent, ...data.agent }) }
}

/**
 * The recorded assessment of the loop. How hard its change is to undo can only rise, by a file that the agent
 * changed.
 */

/** `raisedBy`: the file that made the change harder to undo than the prompt suggested. */
export type AssessedPart = Assessment & { raisedBy: string | null }

export const assessedPart = part((recorded: Assessment): AssessedPart => ({ ...recorded, raisedBy: null }), {
  'checkpoint.taken': ({ reversibility: known }, { data: { raises } }) =>
    raises && isHarder(raises.reversibility, known)
      ? { reversibility: raises.reversibility, raisedBy: raises.path }
      : null,
} satisfies On<AssessedPart>)
