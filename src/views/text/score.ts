/** A score of a spec in words: the sum and its consequence, then each dimension with what would raise it. */
import type { Score } from '../../core/score.ts'
import type { Shape } from '../../model/loop/assessment.ts'

const meaning: Record<Shape, string> = {
  tool: 'an agent can be left alone with it',
  'tool-review': 'an agent can do it; look at the plan and at the end',
  colleague: 'look at each step',
  blocked: 'say more before an agent begins',
}

export function scoreText({ score, fit, shape, dimensions }: Score): string {
  const rows = dimensions.map(({ dimension, points, reason, raise }) => {
    const line = `  ${dimension.padEnd(12)} ${points}/2  ${reason}`
    return raise === null ? line : `${line}\n${' '.repeat(20)}add ${raise}`
  })
  return [`Score ${score}/10, fit ${fit}: ${shape}, ${meaning[shape]}.`, ...rows].join('\n')
}
