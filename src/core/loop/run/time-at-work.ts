/**
 * The working time of a loop. The time between two events counts if the loop was at work after the first one;
 * time in the queue, in waits, in pauses and after the end does not. If its host had died in between, only the
 * agent was at work, for as long as its run. It is not a part of the state, because every event adds to it. It
 * does not use the status: a changed rule there would change the result for old journals.
 */
import type { Recorded } from '../../../model/loop/event.ts'
import type { State } from '../state.ts'

export function activeUntil(state: State, event: Recorded): number {
  return state.activeMs + (isAtWork(state) ? between(state, event) : 0)
}

function isAtWork({ unknown, turn, human, limits, work }: State): boolean {
  if (unknown || turn.outcome || turn.queuedAt !== null || human.question || limits.wait) return false
  if (!turn.hold) return true
  // A hold takes effect at the end of the iteration; a failed step or surviving processes stop the loop at
  // once.
  const stopped = turn.failedStep !== null || (work.run?.survivors.length ?? 0) > 0
  return !stopped && ['running', 'ended', 'cleared', 'settled'].includes(work.stage)
}

function between({ lastAt, epoch }: State, event: Recorded): number {
  const gapMs = Math.max(0, event.at - lastAt)
  if (event.epoch === epoch) return gapMs
  return event.kind === 'run.ended' ? Math.min(gapMs, event.data.durationMs) : 0
}
