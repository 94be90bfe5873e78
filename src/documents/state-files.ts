/**
 * The state of a loop or group in files of its tree, in the schemas that hooks and other tools read: `.loop/state.json`,
 * and `.loop/workflow-state.json` of a plan. They are projections of the journal that nothing reads back: changes by an
 * agent have no effect.
 */
import { type GroupState, isKind, isSettled, isWell } from '../core/group/state.ts'
import { summarizeGroup } from '../core/group/summary.ts'
import { type Standing, standings } from '../core/loop/criteria.ts'
import type { State } from '../core/loop/state.ts'
import { hasJudged, type Status, summarize } from '../core/loop/summary.ts'
import { autonomyOf, scoreIn } from '../core/programs/plan/intent.ts'
import type { PlanOutline } from '../core/programs/plan/outline.ts'

type Claim = boolean | { met: boolean; verification: string }

type Facts = {
  id: string
  spec: string
  criteria: { name: string; is: Claim }[]
  isCompleted: boolean
  steps: { all: string[]; completed: string[]; remaining: string[] }
  iteration: number
  status: Status
  stuckCount: number
  lastUnmet: string
}

/** `driver`, `loop`: the owner of this projection, so that a hook ignores the file. */
function stateText(facts: Facts, more: object = {}): string {
  const { id, spec, criteria, isCompleted, steps, iteration, status, stuckCount, lastUnmet } = facts
  return written({
    spec,
    criteria: criteria.map(({ name }) => name),
    criteriaStatus: Object.fromEntries(criteria.map(({ name, is }) => [name, is])),
    exit_signal: isCompleted,
    steps: steps.all,
    completedSteps: steps.completed,
    remainingSteps: steps.remaining,
    iteration,
    status: ['queued', 'running', 'waiting'].includes(status) ? 'in_progress' : status,
    circuitBreaker: { stuckCount, lastUnmet },
    loop: id,
    driver: 'loop',
    ...more,
  })
}

function written(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

export function stateJson(state: State): string {
  const all = standings(state)
  const names = (some: Standing[]) => some.map(({ name }) => name)
  const remaining = names(all.filter(({ met }) => !met))
  return stateText({
    id: state.id,
    spec: state.spec.prompt,
    criteria: all.map(one => ({ name: one.name, is: claimOf(one) })),
    isCompleted: state.turn.outcome?.kind === 'completed',
    steps: { all: names(all), completed: names(all.filter(({ met }) => met)), remaining },
    iteration: state.work.iteration,
    status: summarize(state).status,
    stuckCount: state.judged.unmetInRow,
    lastUnmet: (hasJudged(state) && remaining[0]) || '',
  })
}

/** The short form if the evidence is execution output, which is the usual case. */
function claimOf({ met, verification }: Standing): Claim {
  return verification === 'execution output' ? met : { met, verification }
}

/** The nodes are its steps. */
export function groupStateJson(state: GroupState): string {
  const { status, program, nodes, iteration, costUsd, budgetUsd, winner, inTree } = summarizeGroup(state)
  const results = state.nodes.findLast(one => isKind(one, 'apply') && isWell(one))?.applying.results ?? []
  const isMet = (name: string) =>
    state.inTree !== null && results.some(one => one.name === name && one.verdict === 'PASS')
  const ids = (some: GroupState['nodes']) => some.map(({ node }) => node.id)
  const facts = {
    id: state.id,
    spec: state.spec.name,
    criteria: (state.spec.bestOf?.loop.criteria ?? []).map(({ name }) => ({ name, is: isMet(name) })),
    isCompleted: state.outcome?.kind === 'completed',
    steps: {
      all: ids(state.nodes),
      completed: ids(state.nodes.filter(isWell)),
      remaining: ids(state.nodes.filter(one => !isSettled(one))),
    },
    iteration,
    status,
    stuckCount: 0,
    lastUnmet: '',
  }
  const budget = { usd: budgetUsd, spentUsd: costUsd }
  return stateText(facts, { kind: 'group', program, nodes, budget, winner, inTree })
}

/** The tasks are its steps; the criteria are those of its shape. */
export function planStateJson(state: GroupState, outline: PlanOutline): string {
  const { tasks, criteria, iterations, stuckCount } = outline
  const { status, nodes, costUsd, budgetUsd } = summarizeGroup(state)
  const named = (some: PlanOutline['tasks']) => some.map(({ id, subject }) => `${id}: ${subject}`)
  const unmet = criteria.find(({ met }) => !met)
  const facts = {
    id: state.id,
    spec: state.spec.name,
    criteria: criteria.map(({ name, met, verification }) => ({ name, is: { met, verification } })),
    isCompleted: state.outcome?.kind === 'completed',
    steps: {
      all: named(tasks),
      completed: named(tasks.filter(task => task.status === 'completed')),
      remaining: named(tasks.filter(task => task.status !== 'completed')),
    },
    iteration: iterations,
    status,
    stuckCount,
    lastUnmet: iterations === 0 ? '' : (unmet?.name ?? ''),
  }
  const budget = { usd: budgetUsd, spentUsd: costUsd }
  return stateText(facts, { kind: 'group', program: 'plan', nodes, budget })
}

/** The stage of a plan and its reviews. */
export function workflowStateJson(state: GroupState, outline: PlanOutline): string {
  const { plan } = state.spec
  if (!plan) throw new Error('Internal error: a workflow state of a group that is no plan')
  const { stage, waves, thorough } = outline
  const scored = scoreIn(state)
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
      ...Object.fromEntries(
        waves.map(({ wave, score, issues, blockers }) => [`wave_${wave}`, { score, issues, blockers }]),
      ),
      ...(thorough && {
        thorough: { passed: thorough.passed, blockers_remaining: thorough.blockersRemaining },
      }),
    },
    loop: state.id,
    driver: 'loop',
  })
}
