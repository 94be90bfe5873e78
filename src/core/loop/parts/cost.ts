/** What the runs of a loop have cost, and the sessions that their totals are counted in. */
import type { AgentName } from '../../../model/agent.ts'
import type { SessionTotals } from '../run/report.ts'
import type { State } from '../state.ts'
import { type On, part, type RecordedOf } from './part.ts'

export type CostPart = {
  /** Null until an agent has said one. */
  costUsd: number | null
  /** Some of the cost was worked out from tokens and a price list. */
  costEstimated: boolean
  /** The session each agent was last in. */
  sessions: Partial<Record<AgentName, SessionTotals>>
}

export const costPart = part((): CostPart => ({ costUsd: null, costEstimated: false, sessions: {} }), {
  'run.ended': (now, event, before) => ({
    costUsd: event.data.costUsd === null ? now.costUsd : (now.costUsd ?? 0) + event.data.costUsd,
    costEstimated: now.costEstimated || Boolean(event.data.estimated),
    sessions: sessionsAfter(now, event, before),
  }),
} satisfies On<CostPart>)

/** A session in which a run failed may be the cause of it: the next run begins anew. */
function sessionsAfter(
  { sessions }: CostPart,
  { data }: RecordedOf<'run.ended'>,
  { work: { agent } }: State,
): CostPart['sessions'] {
  const { [agent]: before, ...others } = sessions
  const session = data.session ?? before
  return session && data.failed === undefined ? { ...others, [agent]: session } : others
}
