/**
 * The working time of a group. The time between two events counts if the group was at work after the first one;
 * rests, queueing and waiting for an answer do not count. If its host had died in between, only members were at
 * work, for as long as the run of the one that ended.
 */
import type { GroupRecorded } from '../../model/group/event.ts'
import { type GroupState, isAtRest, openGate } from './state.ts'

export function groupActiveUntil(state: GroupState, event: GroupRecorded): number {
  return state.activeMs + (isAtWork(state) ? between(state, event) : 0)
}

function isAtWork(state: GroupState): boolean {
  if (state.unknown || state.outcome || state.queuedAt !== null) return false
  return !((state.hold || openGate(state)) && isAtRest(state))
}

function between({ lastAt, epoch }: GroupState, event: GroupRecorded): number {
  const gapMs = Math.max(0, event.at - lastAt)
  if (event.epoch === epoch) return gapMs
  return event.kind === 'node.ended' ? Math.min(gapMs, event.data.durationMs ?? 0) : 0
}
