/** The hooks of a loop, from the request: `--on-complete`, `--on-failure` and their time limit. */
import { allOf, ok, type Result } from '../model/failure.ts'
import type { Spec } from '../model/loop/spec.ts'
import { parseDuration } from '../model/units.ts'
import { wholeCommand } from './criteria.ts'
import type { System } from './system.ts'
import { hookFlags } from './table/hook.ts'
import { invalid, readAs } from './value.ts'
import type { Values } from './values.ts'

export function hooksFrom(values: Values, system: System): Result<Pick<Spec, 'hooks'>> {
  const asked = hookFlags.filter(name => values.value(name) !== null)
  const [first] = asked
  if (first === undefined) return ok({})
  if (values.given('session')) return invalid({ kind: 'hook-in-session', flag: first })
  const read = allOf({
    complete: wholeCommand(values, 'on-complete', system),
    failure: wholeCommand(values, 'on-failure', system),
    timeoutMs: readAs(values, 'hook-timeout', parseDuration),
  })
  if (!read.ok) return read
  const { complete, failure, timeoutMs } = read.value
  return ok({
    hooks: { ...(complete !== null && { complete }), ...(failure !== null && { failure }), timeoutMs },
  })
}
