/**
 * The state of a plan as facts, for every face: its stage, tasks, criteria and reviews. Derived from the nodes alone;
 * views/plan shows these facts, engine/project/group writes them into the tree.
 */
import type { Verification } from '../../model/loop/spec.ts'
import type { PlanShape, PlanTask } from '../../model/plan.ts'
import { find, type GroupState, isSettled, isWell } from '../group/state.ts'
import { answerTo } from '../programs/question.ts'
import { checksOf, lessonGate, slugOf } from './final.ts'
import { wantsGate } from './gates.ts'
import { askIntent } from './intent.ts'
import { planTasksIn } from './program.ts'
import { isNodeOver, said, shapeIn } from './read.ts'
import { reviewRounds, standingIn } from './review.ts'
import { isDone, iterationsUsed, waveReview } from './tasks.ts'

type PlanStage = 'intent' | 'shape' | 'decompose' | 'executing' | 'review' | 'complete'

type OutlinedTask = PlanTask & {
  status: 'pending' | 'in_progress' | 'completed'
  member: string | null
  /** The number of failed verifications after which the task got counsel. */
  stuckCount: number
}

type OutlinedCriterion = {
  name: string
  command: string | null
  verification: Verification
  met: boolean
  /** Who confirmed the criterion, if no command did. */
  by: string | null
}

export type PlanOutline = {
  stage: PlanStage
  shape: PlanShape | null
  tasks: OutlinedTask[]
  /** The current wave, or the last one. */
  wave: number
  criteria: OutlinedCriterion[]
  waves: { wave: number; score: number; issues: number; blockers: number }[]
  /** Null before the first thorough review has answered. */
  thorough: { passed: boolean; blockersRemaining: number } | null
  counsel: boolean
  /** The highest count among the unfinished tasks. */
  stuckCount: number
  iterations: number
  /** The confidence of the reviewers of the last round, in percent; null before that. */
  confidence: number | null
  alt: string | null
  risk: string | null
}

export function outlineOf(state: GroupState): PlanOutline {
  const tasks = planTasksIn(state).map(task => outlined(state, task))
  const open = tasks.filter(({ status }) => status !== 'completed').map(({ wave }) => wave)
  const last = Math.max(0, ...tasks.map(({ wave }) => wave))
  const shape = shapeIn(state)
  const reviews = lastReviews(state)
  return {
    stage: stageOf(state, tasks),
    shape,
    tasks,
    wave: open.length > 0 ? Math.min(...open) : last,
    criteria: criteriaIn(state, shape),
    waves: waveScores(state, last),
    thorough: thoroughIn(state),
    counsel: state.nodes.some(({ advised }) => advised > 0),
    stuckCount: Math.max(
      0,
      ...tasks.filter(({ status }) => status !== 'completed').map(one => one.stuckCount),
    ),
    iterations: iterationsUsed(state),
    confidence: reviews.length === 0 ? null : Math.min(...reviews.map(({ confidence }) => confidence)),
    alt: reviews.find(({ alt }) => alt !== null)?.alt ?? shape?.alt ?? null,
    risk: reviews.find(({ risk }) => risk !== null)?.risk ?? shape?.risk ?? null,
  }
}

function outlined(state: GroupState, task: PlanTask): OutlinedTask {
  const one = find(state, task.id)
  const isBegun = one !== undefined && one.stage !== 'planned'
  const status = isDone(state, task) ? 'completed' : isBegun ? 'in_progress' : 'pending'
  const waits = one?.stage === 'rested' && one.rested?.reason === 'advice-wanted' ? 1 : 0
  return { ...task, status, member: one?.member ?? null, stuckCount: (one?.advised ?? 0) + waits }
}

function stageOf(state: GroupState, tasks: readonly OutlinedTask[]): PlanStage {
  if (state.outcome?.kind === 'completed') return 'complete'
  if (shapeIn(state) === null) return askIntent(state) === null ? 'shape' : 'intent'
  if (tasks.length === 0 || !isShown(state)) return 'decompose'
  if (tasks.some(({ status }) => status !== 'completed')) return 'executing'
  return state.nodes.some(({ node }) => /^(?:review|gate)\//.test(node.id)) ? 'review' : 'executing'
}

/** True once G1 is answered, or if the plan does not ask it. */
function isShown(state: GroupState): boolean {
  if (!wantsGate(state, 'G1')) return true
  const gates = state.nodes.filter(({ node }) => /^G1(?:\/|$)/.test(node.id))
  const last = gates.at(-1)
  return last !== undefined && isSettled(last) && find(state, 'tasks')?.stage === 'ended'
}

function lastReviews(state: GroupState) {
  const round = reviewRounds(state).at(-1)
  if (round === undefined) return []
  const isReviewer = (id: string) => new RegExp(`^review/${round}/\\d+-`).test(id)
  return state.nodes.flatMap(({ node }) =>
    isReviewer(node.id) ? (answerTo(state, node.id, 'review') ?? []) : [],
  )
}

function lastGate({ nodes }: GroupState): number {
  const rounds = nodes.flatMap(({ node }) => /^gate\/(\d+)\//.exec(node.id)?.[1] ?? [])
  return Math.max(0, ...rounds.map(Number))
}

/** A criterion is met by loop's own run at the gate, by a person, or by a review that passed. */
function criteriaIn(state: GroupState, shape: PlanShape | null): OutlinedCriterion[] {
  const round = lastGate(state)
  const checks = checksOf(state, round)
  return (shape?.criteria ?? []).map(({ name, command, verification }) => {
    const base = { name, command, verification }
    if (command !== null) {
      const check = checks.find(one => one.name === name && !one.forbidden)
      const one = check && find(state, check.id)
      return { ...base, met: one !== undefined && isWell(one), by: null }
    }
    if (verification === 'observation') {
      const gate = find(state, `confirm/${slugOf(name)}`)
      return { ...base, met: gate !== undefined && isWell(gate), by: gate?.end?.by ?? null }
    }
    const passed = thoroughIn(state)?.passed === true
    return { ...base, met: passed, by: passed ? 'the review' : null }
  })
}

function waveScores(state: GroupState, last: number): PlanOutline['waves'] {
  return Array.from({ length: last }, (_, i) => i + 1).flatMap(wave => {
    const answer = answerTo(state, waveReview(wave), 'review')
    if (!answer) return []
    const blockers = answer.findings.filter(({ severity }) => severity === 'BLOCKER').length
    return [{ wave, score: answer.score, issues: answer.findings.length, blockers }]
  })
}

function thoroughIn(state: GroupState): PlanOutline['thorough'] {
  const round = reviewRounds(state).at(-1)
  if (round === undefined) return null
  const blockersRemaining = standingIn(state, round).filter(({ severity }) => severity === 'BLOCKER').length
  const isThrough = state.nodes.some(({ node }) => node.id.startsWith(`gate/${round}/`))
  return { passed: isThrough && blockersRemaining === 0, blockersRemaining }
}

/** The answers of people, in order: rounds of intent, gates, findings. */
export function peopleSaid(state: GroupState): { asked: string; answer: string; by: string; at: number }[] {
  return state.nodes.flatMap(({ node, end, endedAt }) =>
    node.kind === 'gate' && end?.answer !== undefined && endedAt !== null
      ? [{ asked: node.question, answer: end.answer, by: end.by ?? '', at: endedAt }]
      : [],
  )
}

/** The lessons of the plan, each with whether a person agreed; null before the lessons are known. */
export function lessonsIn(state: GroupState) {
  if (!isNodeOver(state, 'deviations')) return null
  const found = answerTo(state, 'deviations', 'deviations')?.deviations ?? []
  const at = find(state, 'deviations')?.endedAt ?? 0
  return found.map((one, i) => ({ ...one, at, consent: said(state, lessonGate(i)) }))
}
