/**
 * evolve(state, event): records and never judges. It is total: any event after any state gives a state, so that
 * every journal can be shown. This file handles the envelope; each part of the state handles the events that
 * change it (core/loop/parts).
 */
import type { Recorded } from '../../model/loop/event.ts'
import { eventVersion } from '../../model/version.ts'
import { costPart } from './parts/cost.ts'
import { doubtsPart } from './parts/doubts.ts'
import { hookPart } from './parts/hook.ts'
import { humanPart } from './parts/human.ts'
import { judgedPart } from './parts/judged.ts'
import { limitsPart } from './parts/limits.ts'
import type { EventKind } from './parts/part.ts'
import { assessedPart, specPart } from './parts/spec.ts'
import { treePart } from './parts/tree.ts'
import { trustPart } from './parts/trust.ts'
import { turnPart } from './parts/turn.ts'
import { refusedPart, workPart } from './parts/work.ts'
import type { State } from './state.ts'

/** The events that change no part of the state. */
const byNobody = { 'loop.created': null, 'command.refused': null }

/** The recorders of all events: the compiler reports a kind that no part records. */
const recorders = {
  ...specPart.on,
  ...workPart.on,
  ...treePart.on,
  ...judgedPart.on,
  ...humanPart.on,
  ...limitsPart.on,
  ...turnPart.on,
  ...costPart.on,
  ...doubtsPart.on,
  ...hookPart.on,
  ...trustPart.on,
  ...refusedPart.on,
  ...assessedPart.on,
  ...byNobody,
} satisfies Record<EventKind, unknown>
const known: ReadonlySet<string> = new Set(Object.keys(recorders))

export function begin(event: Recorded): State {
  if (event.kind !== 'loop.created') throw new Error(`Internal error: a journal begins with ${event.kind}`)
  const { spec, assessed } = event.data
  return {
    id: event.loop,
    seq: event.seq,
    createdAt: event.at,
    lastAt: event.at,
    epoch: event.epoch,
    activeMs: 0,
    unknown: unknownIn(event),
    spec: specPart.begin(spec),
    work: workPart.begin(spec),
    tree: treePart.begin(spec),
    judged: judgedPart.begin(spec),
    human: humanPart.begin(spec),
    limits: limitsPart.begin(spec),
    turn: turnPart.begin(spec),
    cost: costPart.begin(spec),
    doubts: doubtsPart.begin(spec),
    hook: hookPart.begin(spec),
    trust: trustPart.begin(spec),
    refused: refusedPart.begin(spec),
    assessed: assessedPart.begin(assessed),
  }
}

export function fold(events: readonly Recorded[]): State {
  const [first, ...rest] = events
  if (!first) throw new Error('Internal error: an empty journal has no state')
  return rest.reduce(evolve, begin(first))
}

export function evolve(state: State, event: Recorded): State {
  const { seq, at: lastAt, epoch } = event
  const activeMs = activeUntil(state, event)
  const unknown = unknownIn(event)
  if (unknown !== null) return { ...state, seq, lastAt, epoch, activeMs, unknown }
  return {
    ...state,
    seq,
    lastAt,
    epoch,
    activeMs,
    spec: specPart.evolve(state.spec, event, state),
    work: workPart.evolve(state.work, event, state),
    tree: treePart.evolve(state.tree, event, state),
    judged: judgedPart.evolve(state.judged, event, state),
    human: humanPart.evolve(state.human, event, state),
    limits: limitsPart.evolve(state.limits, event, state),
    turn: turnPart.evolve(state.turn, event, state),
    cost: costPart.evolve(state.cost, event, state),
    doubts: doubtsPart.evolve(state.doubts, event, state),
    hook: hookPart.evolve(state.hook, event, state),
    trust: trustPart.evolve(state.trust, event, state),
    refused: refusedPart.evolve(state.refused, event, state),
    assessed: assessedPart.evolve(state.assessed, event, state),
  }
}

function unknownIn({ v, kind }: Recorded): string | null {
  if (v > eventVersion) return `version ${v}`
  return known.has(kind) ? null : kind
}

/**
 * The working time of a loop. The time between two events counts if the loop was at work after the first one;
 * time in the queue, in waits, in pauses and after the end does not. If its host had died in between, only the
 * agent was at work, for as long as its run. It is not a part of the state, because every event adds to it. It
 * does not use the status: a changed rule there would change the result for old journals.
 */
function activeUntil(state: State, event: Recorded): number {
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
