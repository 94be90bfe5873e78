/** The opening text of a plan: its autonomy, its basis, and its agents. */

import { safeLine } from '../../core/text/plain-text.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
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
