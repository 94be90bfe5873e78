/** `.loop/PROGRESS.md` of a plan: its tasks by wave, for a person who opens the project in an editor. */

import { clip, oneLine, safeLine } from '../../core/text/plain-text.ts'
import { type CostKnown, formatCost, formatMoney } from '../../model/units.ts'

export type TaskLine = {
  id: string
  subject: string
  wave: number
  status: 'pending' | 'in_progress' | 'completed'
  /** The owner of the task, while it is under way. */
  owner: string | null
  blockedBy: readonly string[]
}

export type PlanProgress = CostKnown & {
  goal: string
  /** Why the plan does not continue, such as "paused: G1 waits for you"; null while it does. */
  rests: string | null
  wave: number
  iteration: number
  costUsd: number | null
  budgetUsd: number | null
  tasks: readonly TaskLine[]
  stuckCount: number
  counsel: boolean
}

export function planProgressPage(plan: PlanProgress): string {
  const { tasks, wave } = plan
  const done = tasks.filter(({ status }) => status === 'completed')
  const open = tasks.filter(({ status }) => status !== 'completed')
  const now = open.filter(task => task.wave <= wave || task.status === 'in_progress')
  const later = open.filter(task => !now.includes(task))
  const waves = Math.max(wave, ...tasks.map(task => task.wave))
  const spent = plan.costUsd === null ? 'unknown' : formatCost(plan.costUsd, plan)
  const budget = plan.budgetUsd === null ? 'none' : formatMoney(plan.budgetUsd)
  const rests = plan.rests === null ? '' : ` (${plan.rests})`
  const openIds = new Set(open.map(({ id }) => id))
  const lines = [
    `# Loop Progress: ${clip(oneLine(plan.goal), 80)}`,
    '',
    `**Status:** Wave ${wave} of ${waves}${rests} | Iteration ${plan.iteration} | Cost: ${spent}/${budget}`,
    ...section(
      '✅ Completed',
      span(done),
      done.map(task => item(task, openIds)),
    ),
    ...section(
      '🔄 In Progress',
      span(now),
      now.map(task => item(task, openIds)),
    ),
    ...section(
      '⏳ Pending',
      `Wave ${least(later)}+`,
      later.map(task => item(task, openIds)),
    ),
    '',
    '## 📊 Metrics',
    `- Tasks: ${done.length}/${tasks.length} complete`,
    `- Stuck count: ${plan.stuckCount}`,
    `- Counsel consulted: ${plan.counsel ? 'Yes' : 'No'}`,
  ]
  return `${lines.map(safeLine).join('\n')}\n`
}

function section(heading: string, waves: string, items: string[]): string[] {
  return items.length === 0 ? [] : ['', `## ${heading} (${waves})`, ...items]
}

function span(tasks: readonly TaskLine[]): string {
  const [first, last] = [least(tasks), Math.max(...tasks.map(({ wave }) => wave))]
  return first === last ? `Wave ${first}` : `Wave ${first}–${last}`
}

function least(tasks: readonly TaskLine[]): number {
  return Math.min(...tasks.map(({ wave }) => wave))
}

function item({ id, subject, status, owner, blockedBy }: TaskLine, open: ReadonlySet<string>): string {
  const isDone = status === 'completed'
  const blockers = blockedBy.filter(blocker => open.has(blocker))
  const about = [
    ...(status === 'in_progress' && owner !== null ? [`assigned to ${owner}`] : []),
    ...(!isDone && status === 'pending' && blockers.length > 0 ? [`blocked by ${blockers.join(', ')}`] : []),
  ]
  const note = about.length > 0 ? ` (${about.join(', ')})` : ''
  return `- [${isDone ? 'x' : ' '}] ${id}: ${oneLine(subject)}${note}`
}
