/**
 * How long a loop has been at work. The time between two events counts where the loop was running after the
 * first; what it was queued, waited, was paused or had ended does not. Where its host had died in between,
 * only the agent was at work, and for as long as its run took.
 */
import type { Recorded } from '../../../model/loop/event.ts'
import type { State } from '../state.ts'
import { standing } from '../summary.ts'

export function activeUntil(state: State, event: Recorded): number {
  return state.activeMs + (standing(state).status === 'running' ? between(state, event) : 0)
}

function between({ lastAt, epoch }: State, event: Recorded): number {
  const gapMs = Math.max(0, event.at - lastAt)
  if (event.epoch === epoch) return gapMs
  return event.kind === 'run.ended' ? Math.min(gapMs, event.data.durationMs) : 0
}
