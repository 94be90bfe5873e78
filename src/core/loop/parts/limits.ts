/**
 * What prevents the agent of a loop from running: usage limits, overload, no network, a missing key, its own
 * errors, and the waits for them. It records and never judges; core/loop/usage-limit and core/loop/decide say
 * when it may run again.
 */
import type { AgentName } from '../../../model/agent.ts'
import type { EventOf } from '../../../model/loop/event.ts'
import { atOnceMs } from '../../queue.ts'
import { endSignature, faultOf, hasWorked } from '../fault.ts'
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
  /** How the last run ended, and whether it ended at once. */
  lastEnd: { signature: string; isAtOnce: boolean } | null
  /** The newest agent errors that all came at once and with the same signature. */
  alike: { signature: string; times: number }
  /** The start of the last run. */
  runSince: number
  wait: (EventOf<'wait.started'>['data'] & { since: number }) | null
  /** The number of agent errors that the last finished wait belongs to: there is one wait per error. */
  waitedFor: number
}

const noneAlike = { signature: '', times: 0 }

const noErrors = { agentErrorsInRow: 0, waitedFor: 0, isFaultOpen: false, alike: noneAlike }

const free = { limited: {}, limitWaitMs: 0, barred: null, ...noErrors }

const noWait = () => ({ wait: null })

export const limitsPart = part((): LimitsPart => ({ ...free, wait: null, lastEnd: null, runSince: 0 }), {
  'run.started': (_, { at }) => ({ barred: null, runSince: at }),
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
    ...errorsInRow(now, event),
  }
}

/** A run that was refused says nothing about the agent's health. */
function errorsInRow(now: LimitsPart, event: RecordedOf<'run.ended' | 'run.lost'>): Partial<LimitsPart> {
  if (wasRefused(event.data)) return {}
  const isAtOnce = event.kind === 'run.ended' && event.at - now.runSince < atOnceMs
  const lastEnd = { signature: endSignature(event.data), isAtOnce }
  const fault = faultOf(event.data)
  if (fault === 'open') return { isFaultOpen: true, lastEnd }
  return fault === 'none' ? { ...noErrors, lastEnd } : { ...oneMore(now, lastEnd), lastEnd }
}

/** The effect of the run is known now. */
function settled(
  now: LimitsPart,
  { data }: RecordedOf<'promise.verified'>,
  before: State,
): Partial<LimitsPart> | null {
  if (!now.isFaultOpen) return null
  return hasWorked(before, data.results) ? noErrors : oneMore(now, now.lastEnd)
}

function oneMore({ agentErrorsInRow, alike }: LimitsPart, end: LimitsPart['lastEnd']): Partial<LimitsPart> {
  const { signature, isAtOnce } = end ?? { signature: '', isAtOnce: false }
  const times = alike.times > 0 && alike.signature === signature ? alike.times + 1 : 1
  return {
    agentErrorsInRow: agentErrorsInRow + 1,
    isFaultOpen: false,
    alike: isAtOnce ? { signature, times } : noneAlike,
  }
}

/** All errors in the row, and at least two, were the same and came at once. */
export function failsAlike({ agentErrorsInRow, alike }: LimitsPart): boolean {
  return alike.times >= 2 && alike.times >= agentErrorsInRow
}

function waited(now: LimitsPart, { at }: RecordedOf<'wait.ended'>): Partial<LimitsPart> {
  const { wait, limitWaitMs, agentErrorsInRow } = now
  if (wait?.for !== 'usage-limit') return { wait: null, waitedFor: agentErrorsInRow }
  // Bounded, because the clock can be set in either direction meanwhile.
  const waitedMs = Math.min(Math.max(0, at - wait.since), wait.until - wait.since)
  return { wait: null, limitWaitMs: limitWaitMs + waitedMs }
}
