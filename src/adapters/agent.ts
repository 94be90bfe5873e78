/**
 * The contract of an agent adapter, and the registry. A new agent is one file in agents/ and one line here.
 * An adapter builds a command line and reads what the run left; it never starts a process itself.
 */
import { readFileSync, statSync } from 'node:fs'
import type { Result } from '../model/failure.ts'
import type { Spec } from '../model/spec.ts'
import { custom } from './agents/custom.ts'
import { scripted } from './agents/scripted.ts'

export type AgentCall = { argv: string[]; env: Record<string, string> }

export type Agent = {
  /** Can it run here? Asked before a loop is created; `agentCmd` comes back as it is to be stored. */
  check(agentCmd: string | undefined, cwd: string): Result<string>
  /** The command line; the prompt is on its stdin. Must be pure. */
  call(spec: Spec): AgentCall
}

export const agents: Record<Spec['agent'], Agent> = { custom, scripted }

/** More than this for one run is not a cost but a mistake. */
const mostUsd = 1_000_000

/** Dollars the agent reported in its usage file, null when it did not or when that can not be read. */
export function reportedCost(file: string): number | null {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0 || size > 65_536) return null
  try {
    const cost: unknown = JSON.parse(readFileSync(file, 'utf8'))?.costUsd
    return typeof cost === 'number' && cost >= 0 && cost <= mostUsd ? cost : null
  } catch {
    return null // what an agent wrote is not ours to trust: unreadable is unknown
  }
}
