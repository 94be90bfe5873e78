/**
 * A second machine, for the tests: a journal of the kind `twin` does three things at once, and ends when all are done.
 *
 *   left     work that may be done again: two attempts, one after the other
 *   right    an effect that happens at most once: recorded as begun after the first attempt of left, claimed outside
 *            the store, settled
 *   member   a loop of its own: its id is reserved, then it is created unless it is there, then attended until its end
 *
 * Only its rules are here; what its steps do is in test/rig/twin-steps.
 */
import { headShape } from '../../src/core/head.ts'
import { isOpen, type Status, type Summary } from '../../src/core/loop/summary.ts'
import type { Kinds, Machine } from '../../src/core/machine.ts'
import type { RefusalFacts } from '../../src/failures/refusal.ts'

type Of<Kind extends string, Data extends object = object> = { kind: Kind; data: Data }

export type TwinEvent =
  | Of<'twin.created', { cwd: string }>
  | Of<'left.done', { attempt: number }>
  | Of<'effect.started', { attempt: number }>
  | Of<'effect.settled', { attempt: number; how: 'done' | 'lost' }>
  | Of<'member.reserved', { member: string }>
  /** Null: it was never created. */
  | Of<'member.ended', { status: Status | null }>
  | Of<'member.rested', { status: Status }>
  | Of<'twin.held' | 'twin.resumed' | 'cancel.requested' | 'twin.completed' | 'twin.cancelled'>
  | Of<'command.refused', { command: string; facts?: RefusalFacts; why?: string }>

export type TwinStep =
  | { kind: 'left' | 'right'; attempt: number }
  | { kind: 'reserve' }
  | { kind: 'attend' | 'end'; member: string }

export type TwinState = {
  id: string
  seq: number
  cwd: string
  createdAt: number
  lastAt: number
  left: number
  right: 'none' | 'started' | 'settled'
  member: string | null
  memberHasEnded: boolean
  isHeld: boolean
  isCancelled: boolean
  outcome: 'completed' | 'cancelled' | null
}

export type TwinKinds = {
  event: TwinEvent
  command: { kind: 'pause' | 'resume' | 'cancel' }
  state: TwinState
  step: TwinStep
  summary: Pick<Summary, keyof Kinds['summary'] | 'shape'>
}

const attempts = 2
const commands = ['pause', 'resume', 'cancel']

export const twinMachine: Machine<TwinKinds> = {
  kind: 'twin',
  parseEvent: body => body,
  parseCommand(value) {
    const command = value as TwinKinds['command'] | null
    return commands.includes(command?.kind ?? '') ? command : null
  },
  begin({ loop: id, seq, at, data }) {
    const nothing = { left: 0, right: 'none', member: null, memberHasEnded: false } as const
    const nobody = { isHeld: false, isCancelled: false, outcome: null }
    const { cwd } = data as { cwd: string }
    return { id, seq, cwd, createdAt: at, lastAt: at, ...nothing, ...nobody }
  },
  evolve: (state, event) => ({ ...state, seq: event.seq, lastAt: event.at, ...changed(event) }),
  decide,
  admit(state, { kind }) {
    if (!commands.includes(kind)) return { ok: false, because: { kind: 'command-unknown' } }
    if (state.outcome) return { ok: false, because: { kind: 'has-ended', outcome: state.outcome } }
    if (kind === 'cancel') return yes(!state.isCancelled && 'cancel.requested')
    if (kind === 'resume') return yes(state.isHeld && 'twin.resumed')
    return state.isHeld ? { ok: false, because: { kind: 'already-paused' } } : yes('twin.held')
  },
  summarize: state => ({
    shape: headShape,
    id: state.id,
    kind: 'twin',
    group: null,
    seq: state.seq,
    cwd: state.cwd,
    status: state.outcome ?? (state.isHeld ? 'paused' : 'running'),
    reason: state.outcome ?? (state.isHeld ? 'paused-by-user' : null),
    createdAt: state.createdAt,
    endedAt: state.outcome ? state.lastAt : null,
    holdsTree: state.outcome === null && !state.isHeld,
    needsSlot: false,
    background: 'normal',
    queuedAt: null,
    costUsd: null,
  }),
  // The effect is settled by whoever began it; the rest may be begun again.
  mayLeave: (state, underWay) => state.right !== 'started' && underWay.every(({ kind }) => kind === 'attend'),
}

function yes(kind: 'cancel.requested' | 'twin.resumed' | 'twin.held' | false) {
  return { ok: true, events: kind ? [{ kind, data: {} }] : [] } as const satisfies {
    ok: true
    events: unknown
  }
}

function changed(event: TwinEvent): Partial<TwinState> {
  switch (event.kind) {
    case 'left.done':
      return { left: event.data.attempt }
    case 'effect.started':
      return { right: 'started' }
    case 'effect.settled':
      return { right: 'settled' }
    case 'member.reserved':
      return { member: event.data.member }
    case 'member.ended':
      return { memberHasEnded: true }
    case 'member.rested':
    case 'twin.held':
      return { isHeld: true }
    case 'twin.resumed':
      return { isHeld: false }
    case 'cancel.requested':
      return { isCancelled: true, isHeld: false }
    case 'twin.completed':
    case 'twin.cancelled':
      return { outcome: event.kind === 'twin.completed' ? 'completed' : 'cancelled' }
    default:
      return {}
  }
}

function decide(state: TwinState): ReturnType<Machine<TwinKinds>['decide']> {
  if (state.outcome || state.isHeld) return { do: 'rest' }
  const steps = [...rightOf(state), ...memberOf(state)]
  if (state.isCancelled) return endedBy('twin.cancelled', steps)
  if (state.left < attempts) steps.push({ kind: 'left', attempt: state.left + 1 })
  // Recorded before it happens, while the others go on.
  if (state.right === 'none' && state.left > 0) {
    return { do: 'record', event: { kind: 'effect.started', data: { attempt: 1 } }, steps }
  }
  return endedBy('twin.completed', steps)
}

function endedBy(kind: 'twin.completed' | 'twin.cancelled', steps: TwinStep[]): ReturnType<typeof decide> {
  return steps.length > 0 ? { do: 'steps', steps } : { do: 'record', event: { kind, data: {} } }
}

/** What was begun is settled, whoever wants to end it. */
function rightOf({ right }: TwinState): TwinStep[] {
  return right === 'started' ? [{ kind: 'right', attempt: 1 }] : []
}

function memberOf({ member, memberHasEnded, isCancelled }: TwinState): TwinStep[] {
  if (memberHasEnded) return []
  if (member !== null) return [{ kind: isCancelled ? 'end' : 'attend', member }]
  return isCancelled ? [] : [{ kind: 'reserve' }]
}

/** A journal that has ended has nothing left that is open. */
export function hasEnded(status: Status): boolean {
  return !isOpen(status)
}
