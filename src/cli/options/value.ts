/** The sentence for a value that does not fit its flag, with the flag, variable or line of a file it stands in. */
import { fail, type Result } from '../../model/failure.ts'
import { startFlags } from '../../options/table/flag.ts'
import { expectedInstead } from '../../options/value.ts'
import type { Input } from '../command-table.ts'

export function subject(input: Input, name: string): string {
  return input.origin(name)?.subject ?? `--${name}`
}

export function unfit(input: Input, name: string): Result<never> {
  const text = input.value(name) ?? ''
  const flag = startFlags.find(candidate => candidate.name === name)
  const expected = flag && expectedInstead(flag, text)
  if (!expected) throw new Error(`Internal error: --${name} ${text} fits`)
  return fail('invalid-arguments', `${subject(input, name)} is ${expected}; not "${text}".`)
}
