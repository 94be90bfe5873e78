/** `loop score`: how well a text says what is to be done. Asks no agent and records nothing. */
import { scoreSpec } from '../../core/score/score.ts'
import { fail, ok } from '../../model/failure.ts'
import { jsonText, safeText } from '../../views/text/plain-text.ts'
import { scoreText } from '../../views/text/score.ts'
import { standardInput } from '../../wiring/stdin.ts'
import type { CommandRun } from '../command-table.ts'
import { out } from '../terminal.ts'

const score: CommandRun = async input => {
  const [spec, ...more] = input.positionals
  if (spec === undefined || more.length > 0) {
    return fail('invalid-arguments', 'Give the text to score as one argument, in quotes, or - for stdin.')
  }
  const text = spec === '-' ? standardInput() : spec
  if (text.trim() === '') return fail('invalid-arguments', 'The text is empty.')
  const found = scoreSpec(text)
  out(input.given('json') ? jsonText(found) : safeText(scoreText(found)))
  return ok(0)
}

export default score
