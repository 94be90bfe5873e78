/**
 * The state of a loop or group in files of its tree, in the schemas that hooks and other tools read: `.loop/state.json`,
 * and `.loop/workflow-state.json` of a plan. They are projections of the journal that nothing reads back: changes by an
 * agent have no effect.
 */
import { type GroupState, isKind, isSettled, isWell } from '../core/group/state.ts'
import { type GroupSummary, summarizeGroup } from '../core/group/summary.ts'
import { type CriterionState, criterionStates } from '../core/loop/criteria.ts'
import type { State } from '../core/loop/state.ts'
import { hasJudged, type Status, summarize } from '../core/loop/summary.ts'
import { autonomyOf, scoreIn } from '../core/plan/intent.ts'
import type { PlanOutline } from '../core/plan/outline.ts'

function written(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The owner of a projection, so that a hook ignores the file. */
function ownerOf(id: string) {
  return { loop: id, driver: 'loop' }
}

/** Of each criterion its name, and how it stands. */
function criteriaFields(criteria: [string, boolean | { met: boolean; verification: string }][]) {
  return { criteria: criteria.map(([name]) => name), criteriaStatus: Object.fromEntries(criteria) }
}

function statusField(status: Status): string {
  return ['queued', 'running', 'waiting'].includes(status) ? 'in_progress' : status
}

function groupFields({ program, nodes, budgetUsd, costUsd }: GroupSummary) {
  return { kind: 'group', program, nodes, budget: { usd: budgetUsd, spentUsd: costUsd } }
}

export function stateJson(state: State): string {
  const all = criterionStates(state)
  const names = (some: CriterionState[]) => some.map(({ name }) => name)
  const unmet = names(all.filter(({ met }) => !met))
  return written({
    spec: state.spec.prompt,
    ...criteriaFields(all.map(one => [one.name, claimOf(one)])),
    exit_signal: state.turn.outcome?.kind === 'completed',
    steps: names(all),
    completedSteps: names(all.filter(({ met }) => met)),
    remainingSteps: unmet,
    iteration: state.work.iteration,
    status: statusField(summarize(state).status),
    circuitBreaker: { stuckCount: state.judged.unmetInRow, lastUnmet: (hasJudged(state) && unmet[0]) || '' },
    ...ownerOf(state.id),
  })
}

/** The short form if the evidence is execution output, which is the usual case. */
function claimOf({ met, verification }: CriterionState) {
  return verification === 'execution output' ? met : { met, verification }
}

/** The nodes are its steps. */
export function groupStateJson(state: GroupState): string {
  const summary = summarizeGroup(state)
  const results = state.nodes.findLast(one => isKind(one, 'apply') && isWell(one))?.applying.results ?? []
  const isMet = (name: string) =>
    state.inTree !== null && results.some(one => one.name === name && one.verdict === 'PASS')
  const ids = (some: GroupState['nodes']) => some.map(({ node }) => node.id)
  return written({
    spec: state.spec.name,
    ...criteriaFields((state.spec.bestOf?.loop.criteria ?? []).map(({ name }) => [name, isMet(name)])),
    exit_signal: state.outcome?.kind === 'completed',
    steps: ids(state.nodes),
    completedSteps: ids(state.nodes.filter(isWell)),
    remainingSteps: ids(state.nodes.filter(one => !isSettled(one))),
    iteration: summary.iteration,
    status: statusField(summary.status),
    circuitBreaker: { stuckCount: 0, lastUnmet: '' },
    ...ownerOf(state.id),
    ...groupFields(summary),
    winner: summary.winner,
    inTree: summary.inTree,
  })
}

/** The tasks are its steps; the criteria are those of its shape. */
export function planStateJson(state: GroupState, outline: PlanOutline): string {
  const { tasks, criteria, iterations, stuckCount } = outline
  const summary = summarizeGroup(state)
  const named = (some: PlanOutline['tasks']) => some.map(({ id, subject }) => `${id}: ${subject}`)
  const unmet = iterations === 0 ? undefined : criteria.find(({ met }) => !met)
  return written({
    spec: state.spec.name,
    ...criteriaFields(criteria.map(({ name, met, verification }) => [name, { met, verification }])),
    exit_signal: state.outcome?.kind === 'completed',
    steps: named(tasks),
    completedSteps: named(tasks.filter(task => task.status === 'completed')),
    remainingSteps: named(tasks.filter(task => task.status !== 'completed')),
    iteration: iterations,
    status: statusField(summary.status),
    circuitBreaker: { stuckCount, lastUnmet: unmet?.name ?? '' },
    ...ownerOf(state.id),
    ...groupFields(summary),
  })
}

/** The stage of a plan and its reviews. */
export function workflowStateJson(state: GroupState, { stage, waves, thorough }: PlanOutline): string {
  const { plan } = state.spec
  if (!plan) throw new Error('Internal error: a workflow state of a group that is no plan')
  const scored = scoreIn(state)
  const reviews = waves.map(({ wave, score, issues, blockers }) => [
    `wave_${wave}`,
    { score, issues, blockers },
  ])
  return written({
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
      ...Object.fromEntries(reviews),
      ...(thorough && {
        thorough: { passed: thorough.passed, blockers_remaining: thorough.blockersRemaining },
      }),
    },
    ...ownerOf(state.id),
  })
}
