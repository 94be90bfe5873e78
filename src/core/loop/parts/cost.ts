/** The cost of a loop's runs, and the agent sessions whose totals they continue. */
import type { AgentName } from '../../../model/agent.ts'
import type { SessionTotals } from '../run-report.ts'
import { nothingSpent, type Spent, spentAfter } from '../spent.ts'
import type { State } from '../state.ts'
import { type On, part, type RecordedOf } from './part.ts'

export type CostPart = Spent & {
  /** The last session of each agent. */
  sessions: Partial<Record<AgentName, SessionTotals>>
}

export const costPart = part((): CostPart => ({ ...nothingSpent, sessions: {} }), {
  'run.ended': (now, event, before) => ({
    ...spentAfter(now, event),
    sessions: sessionsAfter(now, event, before),
  }),
  'run.lost': spentAfter,
} satisfies On<CostPart>)

/** A failed run's session may be the cause of the failure, so the next run starts a new one. */
function sessionsAfter(
  { sessions }: CostPart,
  { data }: RecordedOf<'run.ended'>,
  { work: { agent } }: State,
): CostPart['sessions'] {
  const { [agent]: before, ...others } = sessions
  const session = data.session ?? before
  return session && data.failed === undefined ? { ...others, [agent]: session } : others
}
