/**
 * The program `plan`: from a spec to verified work, stage by stage. Each stage answers what is missing of it, or null
 * once it is through; the graph is the memory, so that a resume finds every finished stage finished.
 *
 *   recall → intent → precheck (Type 1) → shape → tasks → G1 ─▶ waves ─▶ review ─▶ gate ─▶ G3 → learning → done
 *                                                               ▲          │         │
 *                                                               └─ blockers, failures ┘   three rounds at most
 */
import type { Assessment } from '../../../model/loop/assessment.ts'
import type { PlanTask, TaskDraft } from '../../../model/plan/task.ts'
import { find, type GroupState, isKind, isSettled, isWell, type NodeState } from '../../group/state.ts'
import { wavesOf } from '../../plan/waves.ts'
import { counselFor } from '../counsel.ts'
import type { Growth, Program } from '../program.ts'
import { answerTo, questionNode } from '../question.ts'
import { failedBy } from './again.ts'
import { askUnclear } from './clear.ts'
import { askDone, failuresAt, gateTasks, holdOut, learn, lookAtWhole, runGate, unjudgedAt } from './final.ts'
import { askPeople, givenAnswer, isAgreed, wantsGate } from './gates.ts'
import { askIntent, autonomyOf, scoreIn, wholeSpec } from './intent.ts'
import { precheckPrompt, shapePrompt, tasksPrompt } from './prompts.ts'
import { planOf, said, shapeIn } from './read.ts'
import { askRecall, recalledIn } from './recall.ts'
import { remediation, reviewAll } from './review.ts'
import { isDone, iterationsUsed, runTasks } from './tasks.ts'

export const planProgram: Program = { grow, judge, assessed, answer: givenAnswer, again }

/** Of review, gate and what follows from them. */
const mostRounds = 3
const mostRevisions = 3

function grow(state: GroupState): Growth {
  return (
    counselFor(state) ??
    beforeWork(state) ??
    work(state) ??
    holdOut(state) ??
    askDone(state) ??
    learn(state) ?? { end: 'completed' }
  )
}

function beforeWork(state: GroupState): Growth | null {
  return (
    askRecall(state) ??
    askIntent(state) ??
    precheck(state) ??
    question(state, 'shape') ??
    question(state, 'tasks') ??
    askUnclear(
      state,
      draftsOf(state).map(({ subject }) => subject),
    ) ??
    showPlan(state)
  )
}

function known(state: GroupState) {
  return { plan: planOf(state), spec: wholeSpec(state), recalled: recalledIn(state) }
}

/** Hard to take back: an adversary reads it first, and a person has to say yes, whatever else is answered beforehand. */
function precheck(state: GroupState): Growth | null {
  const { reversibility, loop } = planOf(state)
  if (reversibility !== '1') return null
  const prompt = precheckPrompt(known(state))
  const asked = put(state, 'precheck', () =>
    questionNode(loop, { id: 'precheck', needs: [], schema: 'precheck', prompt }),
  )
  if (asked) return asked
  const found = answerTo(state, 'precheck', 'precheck')
  const lines = (found?.misreadings ?? []).map(({ reading, consequence }) => `- ${reading}: ${consequence}`)
  const words = ['This is hard to take back. It could be misread:', ...lines, found?.question ?? '', 'Go on?']
  const gate = askPeople(state, { id: 'type-1', asks: 'type-1', question: words.join('\n') })
  if (gate) return gate
  return isAgreed(said(state, 'type-1')) ? null : { end: 'failed', reason: 'rejected', why: 'type-1' }
}

function question(state: GroupState, name: 'shape' | 'tasks'): Growth | null {
  const { loop, given } = planOf(state)
  if (name === 'shape' && given) return null
  return put(state, name, () => {
    const shape = shapeIn(state)
    const prompt = name === 'shape' || !shape ? shapePrompt(known(state)) : tasksPrompt(known(state), shape)
    return questionNode(loop, { id: name, needs: [], schema: name, prompt })
  })
}

/** A question that the plan cannot do without: no answer in three tries lets it rest. */
function put(state: GroupState, id: string, node: () => ReturnType<typeof questionNode>): Growth | null {
  const one = find(state, id)
  if (!one) return { plan: [node()] }
  if (!isSettled(one)) return { wait: true }
  return isWell(one) ? null : { hold: 'no-answer', nodes: [id] }
}

/** G1; whoever wants it otherwise says how, and the tasks are made again. */
function showPlan(state: GroupState): Growth | null {
  if (!wantsGate(state, 'G1')) return null
  const one = find(state, 'tasks')
  const revision = one?.reopened.length ?? 0
  const id = revision === 0 ? 'G1' : `G1/${revision + 1}`
  const tasks = draftsOf(state)
  const steps = tasks.map(({ subject }, i) => `${i + 1}. ${subject}`)
  const phases = shapeIn(state)?.phases
  const lines = [
    `G1: Decomposed into ${tasks.length} steps:`,
    ...steps,
    `Phases: ${phases}`,
    'Any other answer than yes or no says what should be different.',
    `Here are ${tasks.length} steps. Proceed?`,
  ]
  const asked = askPeople(state, { id, asks: 'gate', question: lines.join('\n'), free: true })
  if (asked) return asked
  const answer = said(state, id)
  if (isAgreed(answer)) return null
  if (answer === null || /^no?$/i.test(answer) || revision >= mostRevisions)
    return { end: 'failed', reason: 'rejected', why: id }
  return { reopen: 'tasks', because: `A person has looked at the tasks and says: ${answer}` }
}

function draftsOf(state: GroupState): TaskDraft[] {
  return answerTo(state, 'tasks', 'tasks')?.tasks ?? []
}

/** Waves, review and gate, until nothing is left to be mended. */
function work(state: GroupState): Growth | null {
  let tasks: PlanTask[] = []
  let drafts = draftsOf(state)
  for (let round = 1; round <= mostRounds; round += 1) {
    tasks = withWaves(drafts, tasks)
    const growth = runTasks(state, tasks) ?? reviewAll(state, round)
    if (growth) return growth
    drafts = remediation(state, round, tasks)
    if (drafts.length > 0) continue
    const gate = runGate(state, round)
    if (gate) return gate
    const unjudged = unjudgedAt(state, round)
    if (unjudged.length > 0) return { end: 'failed', reason: 'gate-failed', why: unjudged.join(', ') }
    drafts = gateTasks(state, round, tasks)
    if (drafts.length === 0) return lookAtWhole(state, round)
  }
  const why = failuresAt(state, mostRounds).map(({ name }) => name)
  return { end: 'failed', reason: why.length > 0 ? 'gate-failed' : 'review-failed', why: why.join(', ') }
}

function withWaves(drafts: TaskDraft[], earlier: PlanTask[]): PlanTask[] {
  const placed = wavesOf(drafts, earlier)
  if (!placed.ok)
    throw new Error(`Internal error: tasks that were accepted have no waves: ${placed.trouble.kind}`)
  return placed.tasks
}

/** All tasks there are by now, with those that reviews and the gate have added. */
export function planTasksIn(state: GroupState): PlanTask[] {
  let tasks: PlanTask[] = []
  let drafts = draftsOf(state)
  for (let round = 1; round <= mostRounds && drafts.length > 0; round += 1) {
    tasks = withWaves(drafts, tasks)
    if (!tasks.every(task => isDone(state, task)) || reviewAll(state, round) !== null) return tasks
    drafts = remediation(state, round, tasks)
    if (drafts.length === 0) drafts = runGate(state, round) === null ? gateTasks(state, round, tasks) : []
  }
  return tasks
}

/** Questions that it cannot do without, or what it has failed by. */
function again(state: GroupState): string[] {
  if (state.hold !== 'no-answer') return failedBy(state, planTasksIn(state))
  const growth = grow(state)
  return 'hold' in growth ? growth.nodes : []
}

/** The order of applies is no condition: only whether there is something to be applied is. */
function judge(one: NodeState, state: GroupState): ReturnType<NonNullable<Program['judge']>> {
  if (isKind(one, 'apply')) {
    const source = find(state, one.node.from)
    return source && isWell(source) ? null : { skip: `${one.node.from} has not completed` }
  }
  if (isKind(one, 'loop') && one.node.reads) return null
  if (isKind(one, 'loop') && isSpent(state)) return { fail: 'the iterations of the plan are used up' }
  return undefined
}

/** A task gets as much autonomy as the plan it is of; a question to a model has none to lose. */
function assessed({ node }: NodeState, state: GroupState): Partial<Assessment> {
  if (node.kind !== 'loop' || node.reads) return {}
  const { workflow, reversibility } = planOf(state)
  return { shape: autonomyOf(state), score: scoreIn(state).score, workflow, reversibility }
}

function isSpent(state: GroupState): boolean {
  const { maxIterations } = planOf(state).loop
  return maxIterations !== null && iterationsUsed(state) >= maxIterations
}
