/** `loop score`: how well a text specifies the work. It asks no agent and records nothing. */
import { scoreSpec, shapeRules } from '../../core/score.ts'
import { safeText } from '../../core/text/plain-text.ts'
import { invalid, ok } from '../../model/failure.ts'
import { readWord } from '../../options/values.ts'
import { scoreText } from '../../views/plan/start.ts'
import { standardInput } from '../../wiring/stdin.ts'
import type { CommandRun } from '../command-table.ts'
import { withUserConfig } from '../config.ts'
import { outFor } from '../terminal.ts'

const score: CommandRun = async input => {
  const [spec, ...more] = input.positionals
  if (spec === undefined || more.length > 0) {
    return invalid({ kind: 'text-to-score' })
  }
  const text = spec === '-' ? standardInput() : spec
  if (text.trim() === '') return invalid({ kind: 'empty-text' })
  const values = await withUserConfig(input)
  if (!values.ok) return values
  const rule = readWord(values.value, 'shape-rule', shapeRules)
  if (!rule.ok) return rule
  const found = scoreSpec(text, { rule: rule.value })
  outFor<'score'>(input, found, safeText(scoreText(found)))
  return ok(0)
}

export default score
