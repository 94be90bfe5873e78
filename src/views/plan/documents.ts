/**
 * The files of a plan: `.loop/PROGRESS.md`, SHAPE.md, `_meta.md`, and `requirements.md`, `design.md`, `plan.md` if the
 * size of the work needs them (core/plan/waves). The text of these is the model's; loop adds the facts around it.
 */

import { shapeFileText } from '../../core/plan/shape-file.ts'
import { type PlanDocument, phaseReasons } from '../../core/plan/waves.ts'
import { clip, oneLine, safeLine, safeText } from '../../core/text/plain-text.ts'
import type { PlanShape } from '../../model/plan.ts'
import { type CostKnown, formatCost, formatMoney } from '../../model/units.ts'

export type RunMeta = {
  slug: string
  goal: string
  /** The phases of the work, such as "plan → tasks"; the session hook calls it the pipeline. */
  pipeline: string
  created: string
  /** The id of its journal, and the list of its tasks. */
  loop?: string
  taskList?: string
}

export function metaPage({ slug, goal, pipeline, created, loop, taskList }: RunMeta): string {
  const lines = [
    `# ${oneLine(slug)}`,
    '',
    `- goal: ${goal.replaceAll(/\s+/g, ' ').trim().slice(0, 500)}`,
    `- pipeline: ${oneLine(pipeline)}`,
    `- created: ${created}`,
    ...(loop === undefined ? [] : [`- loop: ${loop}`]),
    ...(taskList === undefined ? [] : [`- task list: ${oneLine(taskList)}`]),
  ]
  return `${safeText(lines.join('\n'))}\n`
}

const titles: Record<PlanDocument, string> = { requirements: 'Requirements', design: 'Design', plan: 'Plan' }

/** `text`: the model's text, without a title. */
export function documentPage(document: PlanDocument, shape: PlanShape, text: string): string {
  const body = text.replace(/^\s*#[^\n]*\n+/, '').trim()
  return `${safeText([`# ${titles[document]}: ${oneLine(shape.goal)}`, '', ...held(document, shape), '', body].join('\n'))}\n`
}

function held(document: PlanDocument, shape: PlanShape): string[] {
  switch (document) {
    case 'requirements':
      return [
        `Scope: ${oneLine(shape.scope)}`,
        '',
        '## Criteria',
        '',
        ...shape.criteria.map(({ name, verification }) => `- ${oneLine(name)} (${verification})`),
        '',
        '## Must not',
        '',
        ...shape.mustNot.map(({ name }) => `- ${oneLine(name)}`),
        '',
        '## In words',
      ]
    case 'design':
      return [
        `Chosen against: ${shape.alt ?? 'nothing else was weighed'}`,
        `Risk: ${shape.risk ?? 'none named'}`,
      ]
    case 'plan':
      return [`Phases: ${shape.phases} (${phaseReasons[shape.phases]})`]
    default:
      return document satisfies never
  }
}

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

export const shapeMark = '<!-- written by loop'

export function shapePage(shape: PlanShape, plan: string): string {
  return `${shapeFileText(shape).trimEnd()}\n\n${shapeMark} for plan ${plan}; the next plan replaces it -->\n`
}
