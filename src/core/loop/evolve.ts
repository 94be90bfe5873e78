/**
 * evolve(state, event): records and never judges. Total: any event after any state gives a state, so that a
 * journal can always be shown. Only the envelope is dealt with here; each part of the state knows which events
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
import { specPart } from './parts/spec.ts'
import { activeUntil } from './parts/time-at-work.ts'
import { treePart } from './parts/tree.ts'
import { turnPart } from './parts/turn.ts'
import { workPart } from './parts/work.ts'
import type { State } from './state.ts'

/** No part records these; what they say is in the journal. */
const byNobody = { 'loop.created': null, 'command.refused': null }

/** Every kind of event there is: the compiler misses one that no part records. */
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
  ...byNobody,
} satisfies Record<EventKind, unknown>
const known: ReadonlySet<string> = new Set(Object.keys(recorders))

export function begin(event: Recorded): State {
  if (event.kind !== 'loop.created') throw new Error(`Internal error: a journal begins with ${event.kind}`)
  const { spec } = event.data
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
  }
}

function unknownIn({ v, kind }: Recorded): string | null {
  if (v > eventVersion) return `version ${v}`
  return known.has(kind) ? null : kind
}
