/** The words for what keeps an agent from its model for a while: a usage limit, an overload, no network. */
import type { LoopSummary } from '../../core/loop/summary.ts'
import type { LimitedAgent } from '../../core/loop/usage-limit.ts'
import type { LimitKind } from '../../model/agent.ts'

type Facts = Pick<LoopSummary, 'detail' | 'limited'>

/** `claude cannot reach its model (Connection refused); next try in 1m` */
export function waitWords(facts: Facts, next: string): string {
  return `${otherThanUsage(facts) ?? `at its usage limit (${facts.detail})`}; ${next}`
}

export function tooLongWords(facts: Facts): string {
  const others = otherThanUsage(facts)
  if (!others) return `at a usage limit for longer than --max-wait allows (${facts.detail})`
  return `${others}, for longer than --max-wait allows`
}

/** The condition for another try. */
export function untilWords({ limited }: Facts): string {
  const kinds = new Set(limited.map(({ kind }) => kind))
  if (kinds.size !== 1 || kinds.has('usage-limit')) return 'When the limit is over, or with more credit'
  return kinds.has('network') ? 'When its model can be reached again' : 'When the overload is over'
}

/** What happened to a run that met the limit. */
export function metWords(kind: LimitKind, time: string, why: string): string {
  return {
    'usage-limit': `met a usage limit after ${time}: ${why}`,
    overload: `found its model overloaded after ${time}: ${why}`,
    network: `could not reach its model for ${time}: ${why}`,
  }[kind]
}

/** The prefix in the log of a run: `! overload: …`. */
export const limitNames: Record<LimitKind, string> = {
  'usage-limit': 'usage limit',
  overload: 'overload',
  network: 'no network',
}

/** Null if all of them are usage limits. */
function otherThanUsage({ limited }: Facts): string | null {
  if (limited.every(({ kind }) => kind === 'usage-limit')) return null
  return limited.map(agentWords).join('; ')
}

function agentWords({ agent, kind, why }: LimitedAgent): string {
  return {
    'usage-limit': `${agent} is at its usage limit (${why})`,
    overload: `the model of ${agent} is overloaded (${why})`,
    network: `${agent} cannot reach its model (${why})`,
  }[kind]
}
