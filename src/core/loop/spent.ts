/**
 * The total cost of several runs, and how much of it is known: a fold over their ends. The total is a lower
 * bound as soon as one run was cut short or reported no cost.
 */
import type { EventOf } from '../../model/loop/event.ts'
import type { CostKnown } from '../../model/units.ts'

export type Spent = {
  /** Null until an agent has reported a cost. */
  costUsd: number | null
  /** A part of the cost was computed from tokens and a price list. */
  costEstimated: boolean
  /** A run of an agent that reports its cost ended before it had reported all of it. */
  wasCut: boolean
  /** A run reported no cost. */
  hasUnreported: boolean
}

export const nothingSpent: Spent = {
  costUsd: null,
  costEstimated: false,
  wasCut: false,
  hasUnreported: false,
}

type RunEnd = EventOf<'run.ended'> | EventOf<'run.lost'>

export function spentAfter(now: Spent, event: RunEnd): Spent {
  const { costUsd = null, estimated, costIncomplete } = event.data
  return {
    costUsd: costUsd === null ? now.costUsd : (now.costUsd ?? 0) + costUsd,
    costEstimated: now.costEstimated || Boolean(estimated),
    wasCut: now.wasCut || Boolean(costIncomplete),
    hasUnreported: now.hasUnreported || (costUsd === null && !isFree(event)),
  }
}

/** The run never reached its model: the program could not be started, was at a limit, or had no key. */
function isFree({ kind, data }: RunEnd): boolean {
  if (kind === 'run.lost' || data.costIncomplete) return false
  return data.how === 'unstartable' || data.limit !== undefined || data.auth !== undefined
}

export function knownOf(spent: Spent): CostKnown {
  return { costEstimated: spent.costEstimated, costIncomplete: isIncomplete(spent) }
}

/** If nothing at all is known, an agent that never reports costs does not make the total incomplete. */
export function isIncomplete({ costUsd, wasCut, hasUnreported }: Spent): boolean {
  return wasCut || (costUsd !== null && hasUnreported)
}
