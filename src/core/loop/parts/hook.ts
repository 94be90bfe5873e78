/**
 * The user's command after the end of a loop: one for completion, another for failure. Records and never judges. Each
 * end has its own hook, once:
 *
 *   outcome ─▶ due ─▶ hook.started ─▶ (under way) ─▶ hook.ended
 *                └─ hook.cancelled: not run          └─ hook.cancelled: stopped, then hook.ended
 */
import type { EventOf } from '../../../model/loop/event.ts'
import type { HookKind } from '../../../model/loop/spec.ts'
import { mostRestarts } from '../../queue.ts'
import type { State } from '../state.ts'
import { failsAlike } from './limits.ts'
import { type On, part } from './part.ts'

export type HookPart = {
  /** The number of hooks started so far. */
  hooks: number
  /** The hook that is under way; `isUnwanted`: it is to be stopped. */
  open: (EventOf<'hook.started'>['data'] & { isUnwanted: boolean }) | null
  /** The hook for this end was started, or is not wanted. */
  isDone: boolean
  /** The end of the newest hook. */
  ended: EventOf<'hook.ended'>['data'] | null
}

const toCome = () => ({ isDone: false })

export const hookPart = part((): HookPart => ({ hooks: 0, open: null, isDone: false, ended: null }), {
  'loop.completed': toCome,
  'loop.failed': toCome,
  'loop.crashed': toCome,
  'loop.cancelled': toCome,
  'hook.started': (_, { data }) => ({ hooks: data.hook, open: { ...data, isUnwanted: false }, isDone: true }),
  'hook.cancelled': ({ open }) => ({ isDone: true, open: open && { ...open, isUnwanted: true } }),
  'hook.ended': (_, { data }) => ({ hooks: data.hook, open: null, isDone: true, ended: data }),
} satisfies On<HookPart>)

export type DueHook = { hook: number; on: HookKind; command: string }

/** The hook that the loop's end calls for and that has not been started. */
export function dueHook(state: State): DueHook | null {
  const { spec, hook } = state
  const on = hook.isDone ? null : kindFor(state)
  const command = on && spec.hooks?.[on]
  return on && command ? { hook: hook.hooks + 1, on, command } : null
}

/** A crash after which loopd restarts the loop is not an end. */
function kindFor({ turn: { outcome, background, restarts }, limits }: State): HookKind | null {
  if (outcome?.kind === 'completed') return 'complete'
  if (outcome?.kind === 'crashed') {
    const isRestarted = background && restarts < mostRestarts && !failsAlike(limits)
    return isRestarted ? null : 'failure'
  }
  return outcome?.kind === 'failed' ? 'failure' : null
}

/** The loop has ended, but its hook has not. */
export function hasHookLeft(state: State): boolean {
  return state.hook.open !== null || dueHook(state) !== null
}
