/** What runs after the end of a loop, from what was asked: `--on-complete`, `--on-failure` and their time limit. */
import { allOf, ok, type Result } from '../model/failure.ts'
import type { Spec } from '../model/loop/spec.ts'
import { parseDuration } from '../model/units.ts'
import { unreadable } from './criteria.ts'
import type { System } from './system.ts'
import { hookFlags } from './table/hook.ts'
import { invalid, readAs } from './value.ts'
import type { Values } from './values.ts'

export function hooksFrom(values: Values, system: System): Result<Pick<Spec, 'hooks'>> {
  const asked = hookFlags.filter(name => values.value(name) !== null)
  const [first] = asked
  if (first === undefined) return ok({})
  if (values.given('session'))
    return invalid(`--${first} comes after a loop that runs an agent; in a session you see the end yourself.`)
  const read = allOf({
    complete: commandFrom(values, 'on-complete', system),
    failure: commandFrom(values, 'on-failure', system),
    timeoutMs: readAs(values, 'hook-timeout', parseDuration),
  })
  if (!read.ok) return read
  const { complete, failure, timeoutMs } = read.value
  return ok({
    hooks: { ...(complete !== null && { complete }), ...(failure !== null && { failure }), timeoutMs },
  })
}

function commandFrom(values: Values, name: string, system: System): Result<string | null> {
  const command = values.value(name)
  if (command === null) return ok(null)
  if (command.trim() === '') return invalid(`--${name} is empty. Give a command, or leave it out.`)
  const problem = system.shellProblem(command)
  return problem === null ? ok(command) : unreadable(`--${name}`, command, problem)
}
