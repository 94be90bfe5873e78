/**
 * What prevents the agent of a loop from running: usage limits, overload, no network, a missing key, its own
 * errors, and the waits for them. It records and never judges; core/loop/usage-limit and core/loop/decide say
 * when it may run again.
 */
import type { AgentName } from '../../../model/agent.ts'
import type { EventOf } from '../../../model/loop/event.ts'
import { faultOf, hasWorked } from '../run/fault.ts'
import type { State } from '../state.ts'
import type { Limited } from '../usage-limit.ts'
import { type On, onResume, part, type RecordedOf } from './part.ts'
import { wasRefused } from './work.ts'

export type LimitsPart = {
  /** Agents whose last run met a usage limit, an overload or no network. */
  limited: Partial<Record<AgentName, Limited>>
  /** The sum of all such waits since the last start or resume. */
  limitWaitMs: number
  /** The agent may not use its model; the reason in its own words. */
  barred: string | null
  agentErrorsInRow: number
  /** Whether the last run was an error is unknown until its iteration has been verified. */
  isFaultOpen: boolean
  wait: (EventOf<'wait.started'>['data'] & { since: number }) | null
  /** The number of agent errors that the last finished wait belongs to: there is one wait per error. */
  waitedFor: number
}

const noErrors = { agentErrorsInRow: 0, waitedFor: 0, isFaultOpen: false }

const free = { limited: {}, limitWaitMs: 0, barred: null, ...noErrors }

const noWait = () => ({ wait: null })

export const limitsPart = part((): LimitsPart => ({ ...free, wait: null }), {
  'run.started': () => ({ barred: null }),
  'run.ended': ended,
  'run.lost': ended,
  'promise.verified': settled,
  'wait.started': (_, { data, at }) => ({ wait: { ...data, since: at } }),
  'wait.ended': waited,
  // A person who resumes wants a try now, not at the end of the limit.
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

/** A run that was refused says nothing about the agent's health. */
function errorsInRow(
  { agentErrorsInRow }: LimitsPart,
  end: RecordedOf<'run.ended' | 'run.lost'>['data'],
): Partial<LimitsPart> {
  if (wasRefused(end)) return {}
  const fault = faultOf(end)
  if (fault === 'open') return { isFaultOpen: true }
  return fault === 'none' ? noErrors : { agentErrorsInRow: agentErrorsInRow + 1, isFaultOpen: false }
}

/** The effect of the run is known now. */
function settled(
  { agentErrorsInRow, isFaultOpen }: LimitsPart,
  { data }: RecordedOf<'promise.verified'>,
  before: State,
): Partial<LimitsPart> | null {
  if (!isFaultOpen) return null
  if (hasWorked(before, data.results)) return noErrors
  return { agentErrorsInRow: agentErrorsInRow + 1, isFaultOpen: false }
}

function waited(now: LimitsPart, { at }: RecordedOf<'wait.ended'>): Partial<LimitsPart> {
  const { wait, limitWaitMs, agentErrorsInRow } = now
  if (wait?.for !== 'usage-limit') return { wait: null, waitedFor: agentErrorsInRow }
  // Bounded, because the clock can be set in either direction meanwhile.
  const waitedMs = Math.min(Math.max(0, at - wait.since), wait.until - wait.since)
  return { wait: null, limitWaitMs: limitWaitMs + waitedMs }
}
