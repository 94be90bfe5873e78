/** Whether a loop waits for its turn, rests, is about to stop, or is over. It records and never judges. */
import type { Ship } from '../../../model/loop/assessment.ts'
import type { EventOf } from '../../../model/loop/event.ts'
import type { Priority } from '../../../model/loop/spec.ts'
import { type On, part, type RecordedOf } from './part.ts'

type Outcome =
  | { kind: 'completed' }
  | { kind: 'failed'; reason: EventOf<'loop.failed'>['data']['reason'] }
  | { kind: 'crashed'; reason: EventOf<'loop.crashed'>['data']['reason'] }
  | { kind: 'cancelled'; by?: 'session' }

export type TurnPart = {
  /** The time since which it waits for its turn; null if it does not wait. */
  queuedAt: number | null
  /** The priority of a background loop; loopd takes it up wherever it was left. Null in the foreground. */
  background: Priority | null
  /** How often loopd has restarted it since a person last asked for it. */
  restarts: number
  hold: EventOf<'loop.held'>['data'] | null
  failedStep: EventOf<'step.failed'>['data'] | null
  /** `session`: asked for inside an agent's session, possibly by the agent. */
  cancelRequested: boolean | 'session'
  outcome: Outcome | null
  /** The time of its outcome; later commands do not change it. */
  endedAt: number | null
  /** The ship verdict recorded with that end. */
  ship: Ship | null
}

/** The values at creation, and again after a resume. */
const free = {
  queuedAt: null,
  hold: null,
  failedStep: null,
  cancelRequested: false,
  outcome: null,
  endedAt: null,
  ship: null,
}

export const turnPart = part((): TurnPart => ({ ...free, background: null, restarts: 0 }), {
  'loop.queued': queued,
  'loop.dequeued': () => ({ queuedAt: null }),
  'loop.held': (_, { data }) => ({ hold: data }),
  // Whoever resumes a loop hosts it, unless it is queued again.
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
  'loop.completed': (_, event) => ({ ...ended(event), outcome: { kind: 'completed' }, hold: null }),
  'loop.failed': (_, event) => ({
    ...ended(event),
    outcome: { kind: 'failed', reason: event.data.reason },
  }),
  'loop.crashed': (_, event) => ({
    ...ended(event),
    outcome: { kind: 'crashed', reason: event.data.reason },
  }),
  'loop.cancelled': ({ cancelRequested }, event) => ({
    ...ended(event),
    outcome: { kind: 'cancelled', ...(cancelRequested === 'session' && { by: cancelRequested }) },
    cancelRequested: false,
    hold: null,
  }),
} satisfies On<TurnPart>)

function ended({ at, data }: { at: number; data: { ship: Ship } }): Partial<TurnPart> {
  return { endedAt: at, ship: data.ship }
}

/** A loop that loopd restarts continues as if a person had resumed it. */
function queued({ restarts }: TurnPart, { at, data }: RecordedOf<'loop.queued'>): Partial<TurnPart> {
  return {
    ...(data.restart && free),
    queuedAt: at,
    background: data.priority,
    restarts: data.restart ? restarts + 1 : 0,
  }
}
