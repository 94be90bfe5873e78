/**
 * The score of a spec in words, each dimension with what would raise it, and the opening text of a plan: its autonomy,
 * its basis, and its agents.
 */

import type { Score } from '../../core/score.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import type { Shape } from '../../model/loop/assessment.ts'
import { formatMoney } from '../../model/units.ts'

const shapeNames = {
  tool: 'Tool',
  'tool-review': 'Tool with review',
  colleague: 'Colleague',
  blocked: 'Intent required',
} as const

export function planStart({ plan, cwd, budgetUsd }: GroupSpec): string[] {
  if (!plan) return []
  const { score, fit, shape, workflow, reversibility, loop, maxims, recalled, reviewers, run } = plan
  const budget = budgetUsd === null ? 'none' : formatMoney(budgetUsd)
  const iterations = loop.maxIterations === null ? 'unlimited' : String(loop.maxIterations)
  return [
    `  directory   ${cwd}`,
    `  agent       ${loop.agent}: ${loop.agentCmd}`,
    `  scored      ${score}/10, fit ${fit}: ${shapeNames[shape]}; Type ${reversibility}, workflow ${workflow}`,
    `  limits      ${iterations} iterations of all tasks together, budget ${budget}`,
    `  maxims      ${maxims.map(({ name }) => name).join(', ') || 'none'}`,
    `  recalled    ${recalled.length === 0 ? 'nothing that fits' : recalled.map(({ text }) => text).join('; ')}`,
    `  reviewers   ${reviewers.map(({ agent }) => agent).join(', ') || loop.agent}`,
    `  run         .loop/runs/${run}`,
  ].map(safeLine)
}

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
