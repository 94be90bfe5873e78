/**
 * How long a loop has been at work. The time between two events counts where the loop was at work after the
 * first; what it was queued, waited, was paused or had ended does not. Where its host had died in between,
 * only the agent was at work, and for as long as its run took. No part of the state: every event adds to it.
 *
 * A rule of its own over what is recorded: if it asked for the status, another rule there would change what old
 * journals come to.
 */
import type { Recorded } from '../../../model/loop/event.ts'
import type { State } from '../state.ts'

export function activeUntil(state: State, event: Recorded): number {
  return state.activeMs + (isAtWork(state) ? between(state, event) : 0)
}

function isAtWork({ unknown, turn, human, limits, work }: State): boolean {
  if (unknown || turn.outcome || turn.queuedAt !== null || human.question || limits.wait) return false
  if (!turn.hold) return true
  // A hold takes effect at the end of the iteration; a failed step or survivors stop it where it is.
  const stopped = turn.failedStep !== null || (work.run?.survivors.length ?? 0) > 0
  return !stopped && ['running', 'ended', 'cleared', 'settled'].includes(work.stage)
}

function between({ lastAt, epoch }: State, event: Recorded): number {
  const gapMs = Math.max(0, event.at - lastAt)
  if (event.epoch === epoch) return gapMs
  return event.kind === 'run.ended' ? Math.min(gapMs, event.data.durationMs) : 0
}
