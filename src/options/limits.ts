/** The limits of a loop, from the request: iterations, money, time, output, breakers. */
import { allOf, ok, type Result } from '../model/failure.ts'
import { type BreakerLimits, perBreaker } from '../model/loop/breakers.ts'
import type { Spec } from '../model/loop/spec.ts'
import { parseBreaker, parseBytes, parseDuration, parseLimit, parseMoney } from '../model/units.ts'
import { readAs, type Values } from './values.ts'

type Limits = Pick<
  Spec,
  | 'maxIterations'
  | 'budgetUsd'
  | 'timeoutMs'
  | 'verifyTimeoutMs'
  | 'idleTimeoutMs'
  | 'maxOutputBytes'
  | 'breakers'
>

export function limitsFrom(values: Values): Result<Limits> {
  const idle = values.value('idle-timeout') !== null
  return allOf({
    maxIterations: iterationsFrom(values),
    budgetUsd: budgetFrom(values),
    timeoutMs: readAs(values, 'timeout', parseDuration),
    verifyTimeoutMs: readAs(values, 'verify-timeout', parseDuration),
    idleTimeoutMs: idle ? readAs(values, 'idle-timeout', parseDuration) : ok(null),
    maxOutputBytes: readAs(values, 'max-output', parseBytes),
    breakers: breakersFrom(values),
  })
}

type Changeable = Pick<
  Spec,
  'maxIterations' | 'budgetUsd' | 'timeoutMs' | 'verifyTimeoutMs' | 'idleTimeoutMs' | 'maxWaitMs'
>

/** Only the limits that were given, for a resume. */
export function givenLimits(values: Values): Result<Partial<Changeable>> {
  const time = (name: string) => readAs(values, name, parseDuration)
  return allOf({
    ...(values.given('max-iterations') && { maxIterations: iterationsFrom(values) }),
    ...(values.given('budget') && { budgetUsd: budgetFrom(values) }),
    ...(values.given('timeout') && { timeoutMs: time('timeout') }),
    ...(values.given('idle-timeout') && { idleTimeoutMs: time('idle-timeout') }),
    ...(values.given('verify-timeout') && { verifyTimeoutMs: time('verify-timeout') }),
    ...(values.given('max-wait') && { maxWaitMs: time('max-wait') }),
  })
}

export function iterationsFrom(values: Values): Result<number | null> {
  return lifted(readAs(values, 'max-iterations', parseLimit))
}

function budgetFrom(values: Values): Result<number | null> {
  return lifted(readAs(values, 'budget', parseMoney))
}

function breakersFrom(values: Values): Result<BreakerLimits> {
  return allOf(perBreaker(({ flag }) => lifted(readAs(values, flag, parseBreaker))))
}

type Parse = (text: string) => number | { limit: number | null } | null

const parsers: Record<string, Parse> = {
  'max-iterations': parseLimit,
  budget: parseMoney,
  timeout: parseDuration,
  'idle-timeout': parseDuration,
  'verify-timeout': parseDuration,
  'max-wait': parseDuration,
  'max-output': parseBytes,
}

export function isLimit(name: string): boolean {
  return name.endsWith('-limit') || Object.hasOwn(parsers, name)
}

/** How much a value of a limit permits; NaN for what is no value of it. */
export function permitted(name: string, text = ''): number {
  const parse = name.endsWith('-limit') ? parseBreaker : parsers[name]
  const read = parse?.(text) ?? Number.NaN
  return typeof read === 'number' ? read : (read.limit ?? Number.POSITIVE_INFINITY)
}

/** Null means no limit. */
function lifted(read: Result<{ limit: number | null }>): Result<number | null> {
  return read.ok ? ok(read.value.limit) : read
}
