/**
 * The reasons why something ended or was refused, each with its exit code. A reason is a word of this closed
 * list, never a string to be parsed. A failure holds facts and no sentence: the room failures
 * has the words that a person reads.
 */
import type { Facts } from '../failures/all.ts'
import { breakerExits } from './loop/breakers.ts'
import { holdExits } from './loop/words.ts'

export const exitCodes = {
  ...holdExits,
  ...breakerExits('fail'),
  ...breakerExits('crash'),
  completed: 0,
  answered: 0,
  'iteration-limit': 1,
  'holdout-failed': 1,
  unhealthy: 1,
  'members-rest': 1,
  'nobody-passed': 1,
  'node-failed': 1,
  'apply-conflict': 1,
  'apply-failed': 1,
  'no-answer': 1,
  rejected: 1,
  'review-failed': 1,
  'gate-failed': 1,
  cancelled: 2,
  detached: 2,
  internal: 3,
  system: 3,
  'invalid-arguments': 4,
  'invalid-config': 4,
  'not-available-yet': 4,
  'promise-unrunnable': 4,
  'agent-missing': 4,
  'unknown-loop': 4,
  'tree-busy': 4,
  'already-driven': 4,
  'host-silent': 5,
  'no-daemon': 5,
  'not-allowed': 4,
  'checkpoint-gone': 4,
  'newer-journal': 4,
  'store-damaged': 3,
  'store-unavailable': 3,
} as const

export type Reason = keyof typeof exitCodes

/** An expected failure: a value, not an exception. */
export type Failure = { reason: Reason; facts: Facts }

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure }

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function fail(reason: Reason, facts: Facts): { ok: false; failure: Failure } {
  return { ok: false, failure: { reason, facts } }
}

/** What was typed or sent cannot be meant so. */
export function invalid(facts: Facts): { ok: false; failure: Failure } {
  return fail('invalid-arguments', facts)
}

/** The values of all results, or the first failure. */
export function all<T>(results: readonly Result<T>[]): Result<T[]> {
  const values: T[] = []
  for (const result of results) {
    if (!result.ok) return result
    values.push(result.value)
  }
  return ok(values)
}

type ValuesOf<R> = { [K in keyof R]: R[K] extends Result<infer T> ? T : never }

/** The same for named results: the values by name, or the failure of the first name that has one. */
export function allOf<R extends Record<string, Result<unknown>>>(results: R): Result<ValuesOf<R>> {
  const values = all(Object.values(results))
  if (!values.ok) return values
  return ok(Object.fromEntries(Object.keys(results).map((name, i) => [name, values.value[i]])) as ValuesOf<R>)
}

export function exitCodeOf(reason: Reason): number {
  return exitCodes[reason]
}
