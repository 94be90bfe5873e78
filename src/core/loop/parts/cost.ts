/** What the runs of a loop have cost, and the sessions that their totals are counted in. */
import type { AgentName } from '../../../model/agent.ts'
import type { SessionTotals } from '../run/report.ts'
import { nothingSpent, type Spent, spentAfter } from '../run/spent.ts'
import type { State } from '../state.ts'
import { type On, part, type RecordedOf } from './part.ts'

export type CostPart = Spent & {
  /** The session each agent was last in. */
  sessions: Partial<Record<AgentName, SessionTotals>>
}

export const costPart = part((): CostPart => ({ ...nothingSpent, sessions: {} }), {
  'run.ended': (now, event, before) => ({
    ...spentAfter(now, event),
    sessions: sessionsAfter(now, event, before),
  }),
  'run.lost': spentAfter,
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
