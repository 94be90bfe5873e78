/**
 * The machine `loop`: a prompt and a promise. Its rules are in the files beside this one and are assembled
 * here.
 */
import { type Command, command as commandSchema, type Internal } from '../../model/loop/command.ts'
import { type Event, event as eventSchema } from '../../model/loop/event.ts'
import type { Machine } from '../machine.ts'
import { type Admission, admit } from './admit.ts'
import { decide, type Step } from './decide.ts'
import { begin, evolve } from './evolve.ts'
import type { State } from './state.ts'
import type { LoopSummary } from './summary.ts'
import { summarize } from './summary.ts'

export type Wish = Command | Internal

export type LoopKinds = { event: Event; command: Wish; state: State; step: Step; summary: LoopSummary }

export const loopMachine: Machine<LoopKinds> = {
  kind: 'loop',
  parseEvent: body => eventSchema.parse(body, { jitless: true }),
  parseCommand: value => commandSchema.safeParse(value).data ?? null,
  begin,
  evolve,
  decide(state, now, epoch) {
    const decision = decide(state, now, epoch)
    return decision.do === 'step' ? { do: 'steps', steps: [decision.step] } : decision
  },
  admit: (state, wish) => (isInternal(wish) ? admitInternal(state, wish) : admit(state, wish)),
  summarize,
  // A running hook continues without its host; the next host finds it.
  mayLeave: (state, underWay) => underWay.every(({ kind }) => kind === 'hook') && isBetween(state),
}

const internal = ['claim', 'release', 'enqueue', 'restart', 'dequeue']

function isInternal(wish: Wish): wish is Internal {
  return internal.includes(wish.kind)
}

/** Between two iterations, with no agent running and no command pending. */
function isBetween({ work, tree, turn }: State): boolean {
  if (tree.rollback || tree.wanted !== null || turn.cancelRequested) return false
  return ['baseline', 'initial', 'boundary', 'saved'].includes(work.stage)
}

/** The commands that loop gives itself: turns in the background queue, and the end of a session. */
function admitInternal(state: State, wish: Internal): Admission {
  const priority = state.turn.background ?? 'normal'
  switch (wish.kind) {
    case 'claim':
      return facts(
        state.work.stage === 'saved' && { kind: 'session.claimed', data: { session: wish.session } },
      )
    case 'release':
      return facts(
        !state.turn.outcome && !state.turn.hold && { kind: 'loop.held', data: { reason: wish.reason } },
      )
    case 'enqueue':
      return enqueue(state, wish)
    case 'restart':
      return facts({ kind: 'loop.queued', data: { priority, restart: true } })
    case 'dequeue':
      return facts({ kind: 'loop.dequeued', data: {} })
    default:
      return wish satisfies never
  }
}

function enqueue(state: State, { resume }: Extract<Internal, { kind: 'enqueue' }>): Admission {
  const { outcome, hold, queuedAt, background } = state.turn
  if (queuedAt !== null && !outcome && !hold) return { ok: false, because: { kind: 'already-queued' } }
  const admission = admit(state, { ...resume, attended: false })
  if (!admission.ok) return admission
  const queued: Event = { kind: 'loop.queued', data: { priority: background ?? 'normal' } }
  return { ok: true, events: [...admission.events, queued] }
}

function facts(event: Event | false): Admission {
  return { ok: true, events: event ? [event] : [] }
}
