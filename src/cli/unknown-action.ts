/** The refusal of an action that a command does not have: with the one that was probably meant, or all there are. */
import { fail, type Result } from '../model/failure.ts'
import { nearest } from '../options/nearest.ts'

export function unknownAction(command: string, name: string, known: string[]): Result<never> {
  return fail('invalid-arguments', {
    kind: 'unknown-action',
    command,
    name,
    near: nearest(name, known),
    known,
  })
}
