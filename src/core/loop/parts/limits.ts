/**
 * What keeps the agent of a loop from running: usage limits, an overload, no network, a missing key, its own errors,
 * and the waits for them. Records and never judges: when it may run again is core/loop/usage-limit's and decide's
 * business.
 */
import type { AgentName } from '../../../model/agent.ts'
import type { EventOf } from '../../../model/loop/event.ts'
import type { State } from '../state.ts'
import type { Limited } from '../usage-limit.ts'
import { type On, onResume, part, type RecordedOf } from './part.ts'
import { isAgentError, wasRefused } from './work.ts'

export type LimitsPart = {
  /** Agents whose last run met a usage limit, an overload or no network. */
  limited: Partial<Record<AgentName, Limited>>
  /** All waits for these so far, since somebody last asked to go on. */
  limitWaitMs: number
  /** The agent may not use its model: why, in its words. */
  barred: string | null
  agentErrorsInRow: number
  wait: (EventOf<'wait.started'>['data'] & { since: number }) | null
  /** The last wait that ended belongs to this many agent errors: one wait per error. */
  waitedFor: number
}

const free = { limited: {}, limitWaitMs: 0, barred: null, agentErrorsInRow: 0, waitedFor: 0 }

const noWait = () => ({ wait: null })

export const limitsPart = part((): LimitsPart => ({ ...free, wait: null }), {
  'run.started': () => ({ barred: null }),
  'run.ended': ended,
  'run.lost': ended,
  'wait.started': (_, { data, at }) => ({ wait: { ...data, since: at } }),
  'wait.ended': waited,
  // Who asks to go on wants it tried now, not when the limit is over.
  ...onResume(({ wait }: LimitsPart) => ({ ...free, wait: wait?.for === 'usage-limit' ? null : wait })),
  'loop.completed': noWait,
  'loop.failed': noWait,
  'loop.crashed': noWait,
  'loop.cancelled': noWait,
} satisfies On<LimitsPart>)

function ended(
  now: LimitsPart,
  event: RecordedOf<'run.ended' | 'run.lost'>,
  { work: { agent } }: State,
): Partial<LimitsPart> {
  const told = event.kind === 'run.ended' ? event.data : null
  const { [agent]: agentBefore, ...others } = now.limited
  const before = agentBefore && agentBefore.kind === told?.limit?.kind ? agentBefore.inRow : 0
  const limit = told?.limit && { ...told.limit, at: event.at, inRow: before + 1 }
  return {
    limited: limit ? { ...others, [agent]: limit } : others,
    barred: told?.auth ?? null,
    ...errorsInRow(now, event.data),
  }
}

/** A run that was not let work says nothing of whether the agent is sound. */
function errorsInRow(
  { agentErrorsInRow }: LimitsPart,
  end: RecordedOf<'run.ended' | 'run.lost'>['data'],
): Partial<LimitsPart> {
  if (wasRefused(end)) return {}
  return isAgentError(end)
    ? { agentErrorsInRow: agentErrorsInRow + 1 }
    : { agentErrorsInRow: 0, waitedFor: 0 }
}

function waited(now: LimitsPart, { at }: RecordedOf<'wait.ended'>): Partial<LimitsPart> {
  const { wait, limitWaitMs, agentErrorsInRow } = now
  if (wait?.for !== 'usage-limit') return { wait: null, waitedFor: agentErrorsInRow }
  // Not what a clock says that was set meanwhile, in either direction.
  const waitedMs = Math.min(Math.max(0, at - wait.since), wait.until - wait.since)
  return { wait: null, limitWaitMs: limitWaitMs + waitedMs }
}
