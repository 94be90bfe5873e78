/**
 * Usage limits, overload, no network: which agent may run now, and until when to wait when none may. None of them
 * is a failure: the run that met it counts for nothing but its cost, and the same iteration is run again.
 */
import type { AgentName, LimitKind } from '../../model/agent.ts'
import { limitWaits } from '../../model/loop/defaults.ts'
import type { Spec } from '../../model/loop/spec.ts'
import type { State } from './state.ts'

/** What an agent's last runs said of its limit; `inRow` of them met one of this kind, the last at `at`. */
export type Limited = {
  until: number | null
  why: string
  /** A usage limit without it. */
  kind?: LimitKind | undefined
  at: number
  inRow: number
}

/** What keeps one agent from its model, as a summary says it. */
export type LimitedAgent = { agent: string; kind: LimitKind; why: string }

export function limitedAgents({ limits }: State): LimitedAgent[] {
  return Object.entries(limits.limited).map(([agent, { kind = 'usage-limit', why }]) => ({
    agent,
    kind,
    why,
  }))
}

/** `codex: You've hit your usage limit`, for each agent that is at one. */
export function limitWords(state: State): string {
  return limitedAgents(state)
    .map(({ agent, why }) => `${agent}: ${why}`)
    .join('; ')
}

/** The agent and its fallbacks, in the order they are preferred. */
function chainOf(spec: Spec): AgentName[] {
  return [spec.agent, ...(spec.fallbacks ?? []).map(({ agent }) => agent)]
}

/**
 * Until when the agent is not to be asked again. The time it named, if any; a limit met again and again, or
 * one without a time, is waited for longer each time.
 */
function limitedUntil(limited: Limited, spec: Spec): number {
  const doublings = limited.inRow - (limited.until === null ? 1 : 2)
  const first = spec.limitBackoffMs ?? limitWaits.firstMs
  const backOff = doublings < 0 ? 0 : Math.min(first * 2 ** doublings, limitWaits.longestMs)
  return Math.max(limited.until ?? 0, limited.at + backOff)
}

type Choice = { run: AgentName } | { waitUntil: number; tooLong: boolean }

/** The first agent of the chain that is not at its limit, else when the first of them will be free. */
export function choose({ spec, limits }: State, now: number): Choice {
  const until = (agent: AgentName): number => {
    const limited = limits.limited[agent]
    // Met in the future: the clock was set back, and only the agent knows how long it still is.
    return limited && limited.at <= now ? limitedUntil(limited, spec) : 0
  }
  const chain = chainOf(spec)
  const free = chain.find(agent => until(agent) <= now)
  if (free) return { run: free }
  const waitUntil = Math.min(...chain.map(until))
  const left = (spec.maxWaitMs ?? limitWaits.allMs) - limits.limitWaitMs
  return { waitUntil, tooLong: waitUntil - now > left }
}
