/** What evolve records of the turns of a loop: when it waits for its own, and how it came to its end. */
import type { EventOf, Recorded } from '../../../model/loop/event.ts'
import type { State } from '../state.ts'

type Turn = Extract<Recorded, { kind: 'loop.queued' | 'loop.dequeued' }>

export function isTurn(event: Recorded): event is Turn {
  return event.kind === 'loop.queued' || event.kind === 'loop.dequeued'
}

/** Started again by loopd, as a person would resume it. */
export function isRestart(event: Turn): boolean {
  return event.kind === 'loop.queued' && event.data.restart === true
}

export function queued(state: State, event: Turn): Partial<State> {
  if (event.kind === 'loop.dequeued') return { queuedAt: null }
  const restarts = isRestart(event) ? state.restarts + 1 : 0
  return { queuedAt: event.at, background: event.data.priority, restarts }
}

export const cancelling: Partial<State> = {
  cancelRequested: true,
  hold: null,
  queuedAt: null,
  failedStep: null,
}

type End = EventOf<'loop.completed' | 'loop.failed' | 'loop.crashed' | 'loop.cancelled'>

export function over(event: End): Partial<State> {
  switch (event.kind) {
    case 'loop.completed':
      return { outcome: { kind: 'completed' }, hold: null, wait: null }
    case 'loop.failed':
      return { outcome: { kind: 'failed', ...event.data }, wait: null }
    case 'loop.crashed':
      return { outcome: { kind: 'crashed', ...event.data }, wait: null }
    case 'loop.cancelled':
      return { outcome: { kind: 'cancelled' }, cancelRequested: false, hold: null, wait: null }
    default:
      return event satisfies never
  }
}
