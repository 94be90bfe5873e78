/**
 * What several runs have cost together, and how much of that is known: a fold over their ends. What is known is a lower
 * bound as soon as one of them was cut short, or has said nothing of its cost.
 */
import type { EventOf } from '../../../model/loop/event.ts'
import type { CostKnown } from '../../../model/units.ts'

export type Spent = {
  /** Null until an agent has said one. */
  costUsd: number | null
  /** Some of the cost was worked out from tokens and a price list. */
  costEstimated: boolean
  /** A run of an agent that reports cost was cut short, or ended, before it had reported all of it. */
  wasCut: boolean
  /** A run has said nothing of its cost. */
  hasUnreported: boolean
}

export const nothingSpent: Spent = {
  costUsd: null,
  costEstimated: false,
  wasCut: false,
  hasUnreported: false,
}

type Ended = EventOf<'run.ended'> | EventOf<'run.lost'>

export function spentAfter(now: Spent, event: Ended): Spent {
  const { costUsd = null, estimated, costIncomplete } = event.data
  return {
    costUsd: costUsd === null ? now.costUsd : (now.costUsd ?? 0) + costUsd,
    costEstimated: now.costEstimated || Boolean(estimated),
    wasCut: now.wasCut || Boolean(costIncomplete),
    hasUnreported: now.hasUnreported || (costUsd === null && !isFree(event)),
  }
}

/** It never reached its model: the program could not be started, or was at a limit, or had no key. */
function isFree({ kind, data }: Ended): boolean {
  if (kind === 'run.lost' || data.costIncomplete) return false
  return data.how === 'unstartable' || data.limit !== undefined || data.auth !== undefined
}

export function knownOf(spent: Spent): CostKnown {
  return { costEstimated: spent.costEstimated, costIncomplete: isIncomplete(spent) }
}

/** Where nothing at all is known, an agent that never reports any cost is no reason to expect more. */
export function isIncomplete({ costUsd, wasCut, hasUnreported }: Spent): boolean {
  return wasCut || (costUsd !== null && hasUnreported)
}
