/** The most that a group is going to do, shown before it begins. */
import type { GroupSpec } from '../../../model/group/spec.ts'
import { count, formatMoney } from '../../../model/units.ts'

export function groupPlan({ bestOf, parallel, budgetUsd }: GroupSpec): string[] {
  if (!bestOf) return []
  const { attempts, waves = 1, loop, metric, measures = [] } = bestOf
  const many = attempts * waves
  const iterations = loop.maxIterations
  const worst = [
    iterations === null ? 'no limit of iterations' : `${count(many * iterations, 'iteration')} at most`,
    budgetUsd === null ? 'no budget' : `${formatMoney(budgetUsd)} for all together`,
  ].join(', ')
  const queue = parallel !== null && parallel < attempts ? `; ${parallel} at a time, the rest queue` : ''
  const what =
    many === 1
      ? 'one attempt in a copy'
      : `${count(many, 'attempt')} in copies${waves > 1 ? ' (two waves)' : ''}`
  return [
    `  group       ${what}${queue}`,
    `  worst case  ${worst}`,
    ...(metric
      ? [`  metric      ${metric.better === 'less' ? 'smallest' : 'largest'}: ${metric.command}`]
      : []),
    ...measures.map(({ name, command }) => `  ${name.padEnd(11)} ${command}`),
  ]
}
