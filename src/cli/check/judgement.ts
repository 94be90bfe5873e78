/**
 * The result of a check: whether it holds, and why, in sentences that an agent can act on. `unrunnable`: the step
 * cannot begin at all, for instance because the suite fails before it; loop then stops instead of letting an agent
 * try.
 */
import type { CheckWork } from './work.ts'

export type Judgement = { holds: boolean; unrunnable?: true; lines: string[] }

export type CheckRequest = {
  work: CheckWork
  /** The value of a flag of the check; null if it was not given. */
  value(name: string): string | null
  values(name: string): readonly string[]
}

export type StepCheck = (asked: CheckRequest) => Promise<Judgement>

export function holds(...lines: string[]): Judgement {
  return { holds: true, lines }
}

export function fails(...lines: string[]): Judgement {
  return { holds: false, lines }
}

export function cannot(...lines: string[]): Judgement {
  return { holds: false, unrunnable: true, lines }
}

/** Names for a sentence, shortened if there are many. */
export function named(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).join(', ')
  return names.length > most ? `${shown} and ${names.length - most} more` : shown
}
