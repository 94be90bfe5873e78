/** What was asked for: as it was when the loop was created, with the limits and the agent that were changed since then. */
import type { AgentChoice, Spec } from '../../../model/loop/spec.ts'
import { type On, part, type RecordedOf } from './part.ts'

export const specPart = part((spec: Spec) => spec, { 'loop.resumed': resumed } satisfies On<Spec>)

/** A new agent has none of what was said of the one before it: a model, a price, its fallbacks. */
const noAgent: Omit<AgentChoice, 'agent' | 'agentCmd'> = {
  agentNotes: undefined,
  model: undefined,
  contextMode: undefined,
  fallbacks: undefined,
  price: undefined,
}

function resumed(_: Spec, { data }: RecordedOf<'loop.resumed'>): Partial<Spec> {
  const { agent, stays: __, ...limits } = data
  const given = Object.entries(limits).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), ...(agent && { ...noAgent, ...agent }) }
}
