/**
 * `.loop/workflow-state.json` and `.loop/state.json` of a plan, in the schemas that other tools read: the stage and
 * the reviews; the tasks as steps, the criteria of its shape. They are projections of the journal that nothing reads
 * back.
 */
import type { GroupState } from '../../core/group/state.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import { autonomyOf, scoreIn } from '../../core/programs/plan/intent.ts'
import type { PlanOutline } from '../../core/programs/plan/outline.ts'

export function workflowStateJson(state: GroupState, outline: PlanOutline): string {
  const { plan } = state.spec
  if (!plan) throw new Error('Internal error: a workflow state of a group that is no plan')
  const { stage, waves, thorough } = outline
  const scored = scoreIn(state)
  const document = {
    version: 1,
    stage,
    task: plan.text,
    spec_score: scored.score,
    fit_score: scored.fit,
    shape_chosen: autonomyOf(state),
    started_at: new Date(state.createdAt).toISOString(),
    last_updated: new Date(state.lastAt).toISOString(),
    recall_surfaced: plan.recalled.map(({ text }) => text),
    reviews: {
      ...Object.fromEntries(
        waves.map(({ wave, score, issues, blockers }) => [`wave_${wave}`, { score, issues, blockers }]),
      ),
      ...(thorough && {
        thorough: { passed: thorough.passed, blockers_remaining: thorough.blockersRemaining },
      }),
    },
    // An extra field: the owner of this projection, so that a hook ignores the file.
    loop: state.id,
    driver: 'loop',
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

export function planStateJson(state: GroupState, outline: PlanOutline): string {
  const { tasks, criteria, iterations, stuckCount } = outline
  const { status, nodes, costUsd, budgetUsd } = summarizeGroup(state)
  const named = (some: PlanOutline['tasks']) => some.map(({ id, subject }) => `${id}: ${subject}`)
  const unmet = criteria.find(({ met }) => !met)
  const document = {
    spec: state.spec.name,
    criteria: criteria.map(({ name }) => name),
    criteriaStatus: Object.fromEntries(
      criteria.map(({ name, met, verification }) => [name, { met, verification }]),
    ),
    exit_signal: state.outcome?.kind === 'completed',
    steps: named(tasks),
    completedSteps: named(tasks.filter(task => task.status === 'completed')),
    remainingSteps: named(tasks.filter(task => task.status !== 'completed')),
    iteration: iterations,
    status: ['queued', 'running', 'waiting'].includes(status) ? 'in_progress' : status,
    circuitBreaker: { stuckCount, lastUnmet: iterations === 0 ? '' : (unmet?.name ?? '') },
    loop: state.id,
    driver: 'loop',
    kind: 'group',
    program: 'plan',
    nodes,
    budget: { usd: budgetUsd, spentUsd: costUsd },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
