/**
 * Usage limits, overload, no network: which agent may run now, and how long to wait if none may. None of them
 * is a failure: only the cost of the refused run counts, and the same iteration is run again.
 */
import type { AgentName, LimitKind } from '../../model/agent.ts'
import { limitWaits } from '../../model/loop/breakers.ts'
import type { Spec } from '../../model/loop/spec.ts'
import type { State } from './state.ts'

/**
 * The limit reported by an agent's last runs; `inRow` consecutive runs met one of this kind, the last of them
 * at `at`.
 */
export type Limited = {
  until: number | null
  why: string
  /** Absent for a usage limit. */
  kind?: LimitKind | undefined
  at: number
  inRow: number
}

/** One agent's limit in a summary. */
export type LimitedAgent = { agent: string; kind: LimitKind; why: string }

export function limitedAgents({ limits }: State): LimitedAgent[] {
  return Object.entries(limits.limited).map(([agent, { kind = 'usage-limit', why }]) => ({
    agent,
    kind,
    why,
  }))
}

/** One entry per limited agent: `codex: You've hit your usage limit`. */
export function limitWords(state: State): string {
  return limitedAgents(state)
    .map(({ agent, why }) => `${agent}: ${why}`)
    .join('; ')
}

/** The agent and its fallbacks, in order of preference. */
function chainOf(spec: Spec): AgentName[] {
  return [spec.agent, ...(spec.fallbacks ?? []).map(({ agent }) => agent)]
}

/**
 * The time before which the agent is not asked again. It is the time that the agent named, if any; a repeated
 * limit, or one without a time, is waited for longer each time.
 */
function limitedUntil(limited: Limited, spec: Spec): number {
  const doublings = limited.inRow - (limited.until === null ? 1 : 2)
  const first = spec.limitBackoffMs ?? limitWaits.firstMs
  const backOff = doublings < 0 ? 0 : Math.min(first * 2 ** doublings, limitWaits.longestMs)
  return Math.max(limited.until ?? 0, limited.at + backOff)
}

type Choice = { run: AgentName } | { waitUntil: number; tooLong: boolean }

/** The first agent of the chain that is not limited, otherwise the earliest time at which one is free. */
export function choose({ spec, limits }: State, now: number): Choice {
  const until = (agent: AgentName): number => {
    const limited = limits.limited[agent]
    // A limit met in the future means that the clock was set back; only the agent knows how much of it is left.
    return limited && limited.at <= now ? limitedUntil(limited, spec) : 0
  }
  const chain = chainOf(spec)
  const free = chain.find(agent => until(agent) <= now)
  if (free) return { run: free }
  const waitUntil = Math.min(...chain.map(until))
  const left = (spec.maxWaitMs ?? limitWaits.allMs) - limits.limitWaitMs
  return { waitUntil, tooLong: waitUntil - now > left }
}

/** Why the agent is switched. */
export function switchWhy({ limits, work }: State, to: AgentName): string {
  const limited = limits.limited[work.agent]
  if (!limited) return limits.limited[to]?.kind ? 'to be tried again' : 'no longer at its limit'
  return { 'usage-limit': 'usage limit', overload: 'overload', network: 'no network' }[
    limited.kind ?? 'usage-limit'
  ]
}
