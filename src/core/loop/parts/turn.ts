/** Whose turn it is: whether a loop waits for its own, rests, is to stop, or is over. Records and never judges. */
import type { EventOf } from '../../../model/loop/event.ts'
import type { Priority } from '../../../model/loop/spec.ts'
import { type On, part, type RecordedOf } from './part.ts'

type Outcome =
  | { kind: 'completed' }
  | { kind: 'failed'; reason: EventOf<'loop.failed'>['data']['reason'] }
  | { kind: 'crashed'; reason: EventOf<'loop.crashed'>['data']['reason'] }
  | { kind: 'cancelled'; by?: 'session' }

export type TurnPart = {
  /** Since when it waits for its turn; null when it does not. */
  queuedAt: number | null
  /** A loop of the background, with its priority: loopd takes it up wherever it was left. */
  background: Priority | null
  /** How often loopd has started it again since a person last asked for it. */
  restarts: number
  hold: EventOf<'loop.held'>['data'] | null
  failedStep: EventOf<'step.failed'>['data'] | null
  /** `session`: inside a session of an agent, perhaps by the agent. */
  cancelRequested: boolean | 'session'
  outcome: Outcome | null
  /** When it came to its outcome; what a person asks of it afterwards does not change that. */
  endedAt: number | null
}

/** As it is when a loop is created, and when it is asked to go on. */
const free = {
  queuedAt: null,
  hold: null,
  failedStep: null,
  cancelRequested: false,
  outcome: null,
  endedAt: null,
}

export const turnPart = part((): TurnPart => ({ ...free, background: null, restarts: 0 }), {
  'loop.queued': queued,
  'loop.dequeued': () => ({ queuedAt: null }),
  'loop.held': (_, { data }) => ({ hold: data }),
  // Whoever resumes it hosts it, unless it is queued again.
  'loop.resumed': ({ background }, { data }) => ({
    ...free,
    background: data.stays ? background : null,
    restarts: 0,
  }),
  'step.failed': (_, { data }) => ({ failedStep: data }),
  'cancel.requested': (_, { data }) => ({
    cancelRequested: data.by ?? true,
    hold: null,
    queuedAt: null,
    failedStep: null,
  }),
  'loop.completed': (_, { at }) => ({ outcome: { kind: 'completed' }, endedAt: at, hold: null }),
  'loop.failed': (_, { at, data }) => ({ outcome: { kind: 'failed', ...data }, endedAt: at }),
  'loop.crashed': (_, { at, data }) => ({ outcome: { kind: 'crashed', ...data }, endedAt: at }),
  'loop.cancelled': ({ cancelRequested }, { at }) => ({
    outcome: { kind: 'cancelled', ...(cancelRequested === 'session' && { by: cancelRequested }) },
    endedAt: at,
    cancelRequested: false,
    hold: null,
  }),
} satisfies On<TurnPart>)

/** Started again by loopd, it goes on as if a person had resumed it. */
function queued({ restarts }: TurnPart, { at, data }: RecordedOf<'loop.queued'>): Partial<TurnPart> {
  return {
    ...(data.restart && free),
    queuedAt: at,
    background: data.priority,
    restarts: data.restart ? restarts + 1 : 0,
  }
}
