/**
 * The program `plan`: from a spec to verified work, stage by stage. Each stage returns the nodes that it still needs,
 * or null once it is complete. The graph is the only memory, so a resume continues after the last complete stage.
 *
 *   recall → intent → precheck (Type 1) → shape → tasks → G1 ─▶ waves ─▶ review ─▶ gate ─▶ G3 → learning → done
 *                                                               ▲          │         │
 *                                                               └─ blockers, failures ┘   three rounds at most,
 *                                                                                         one more for each resume
 */
import type { Assessment } from '../../model/loop/assessment.ts'
import type { PlanTask, TaskDraft } from '../../model/plan.ts'
import { find, type GroupState, isKind, isSettled, isWell, type NodeState, openGate } from '../group/state.ts'
import type { Growth, Program } from '../programs/program.ts'
import { answerTo, counselFor, questionNode } from '../programs/question.ts'
import { sameAsJudged } from '../programs/same-tree.ts'
import {
  askDone,
  checksOf,
  failedBy,
  failuresAt,
  gateTasks,
  holdOut,
  learn,
  lookAtWhole,
  runGate,
  unjudgedAt,
} from './final.ts'
import { askPeople, askRecall, askUnclear, givenAnswer, isAgreed, recalledIn, wantsGate } from './gates.ts'
import { askIntent, autonomyOf, scoreIn, wholeSpec } from './intent.ts'
import { precheckPrompt, shapePrompt, tasksPrompt } from './prompts.ts'
import { planOf, said, shapeIn } from './read.ts'
import { remediation, reviewAll, standingIn } from './review.ts'
import { isDone, iterationsUsed, runTasks } from './tasks.ts'
import { wavesOf } from './waves.ts'

export const planProgram: Program = { grow, judge, assessed, answer: givenAnswer, again }

/** The most rounds of review and gate, with the tasks that follow from them; a resume after a failed one adds one. */
const mostRounds = 3
const mostRevisions = 3

function grow(state: GroupState): Growth {
  return (
    counselFor(state) ??
    beforeWork(state) ??
    work(state) ??
    holdOut(state) ??
    askDone(state, mostRounds + state.moreRounds) ??
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

/**
 * For a change that is hard to take back: an adversary reads the spec first, and a person has to agree. No answer given
 * beforehand replaces that person.
 */
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

/** A question without which the plan cannot continue: after three attempts without an answer the plan rests. */
function put(state: GroupState, id: string, node: () => ReturnType<typeof questionNode>): Growth | null {
  const one = find(state, id)
  if (!one) return { plan: [node()] }
  if (!isSettled(one)) return { wait: true }
  return isWell(one) ? null : { hold: 'no-answer', nodes: [id] }
}

/** G1: a person who disagrees says what to change, and the tasks are made again. */
function showPlan(state: GroupState): Growth | null {
  if (!wantsGate(state, 'G1')) return null
  const one = find(state, 'tasks')
  const revision = one?.reopened.length ?? 0
  const id = revision === 0 ? 'G1' : `G1/${revision + 1}`
  const tasks = draftsOf(state)
  const steps = tasks.map(({ subject }, i) => `${i + 1}. ${subject}`)
  const phases = shapeIn(state)?.phases
  const many = tasks.length === 1 ? '1 step' : `${tasks.length} steps`
  const lines = [
    `G1: Decomposed into ${many}:`,
    ...steps,
    `Phases: ${phases}`,
    'Any other answer than yes or no says what should be different.',
    `Here ${tasks.length === 1 ? 'is' : 'are'} ${many}. Proceed?`,
  ]
  const asked = askPeople(state, { id, asks: 'gate', question: lines.join('\n'), free: true })
  if (asked) return asked
  const answer = said(state, id)
  if (isAgreed(answer)) return null
  if (answer === null || /^no?$/i.test(answer) || revision >= mostRevisions)
    return { end: 'failed', reason: 'rejected', why: id }
  return { reopen: 'tasks', because: { kind: 'tasks-disputed', answer } }
}

function draftsOf(state: GroupState): TaskDraft[] {
  return answerTo(state, 'tasks', 'tasks')?.tasks ?? []
}

/** Waves, review and gate, until there is nothing left to repair. */
function work(state: GroupState): Growth | null {
  const most = mostRounds + state.moreRounds
  let tasks: PlanTask[] = []
  let drafts = draftsOf(state)
  for (let round = 1; round <= most; round += 1) {
    tasks = withWaves(drafts, tasks)
    const growth = runTasks(state, tasks) ?? reviewAll(state, round)
    if (growth) return growth
    drafts = remediation(state, round, tasks)
    if (drafts.length > 0) continue
    const gate = sameGate(state, round) ?? runGate(state, round)
    if (gate) return gate
    const unjudged = unjudgedAt(state, round)
    if (unjudged.length > 0) return { end: 'failed', reason: 'gate-failed', why: unjudged.join(', ') }
    drafts = gateTasks(state, round, tasks)
    if (drafts.length === 0) return lookAtWhole(state, round)
  }
  const blockers = standingIn(state, most).filter(({ severity }) => severity === 'BLOCKER')
  if (blockers.length > 0)
    return { end: 'failed', reason: 'review-failed', why: blockers.map(({ id }) => id).join(', ') }
  const why = failuresAt(state, most).map(({ name }) => name)
  return { end: 'failed', reason: 'gate-failed', why: why.join(', ') }
}

function withWaves(drafts: TaskDraft[], earlier: PlanTask[]): PlanTask[] {
  const placed = wavesOf(drafts, earlier)
  if (!placed.ok)
    throw new Error(`Internal error: tasks that were accepted have no waves: ${placed.trouble.kind}`)
  return placed.tasks
}

/** All tasks so far, with those that reviews and the gate added. */
export function planTasksIn(state: GroupState): PlanTask[] {
  let tasks: PlanTask[] = []
  let drafts = draftsOf(state)
  for (let round = 1; round <= mostRounds + state.moreRounds && drafts.length > 0; round += 1) {
    tasks = withWaves(drafts, tasks)
    if (!tasks.every(task => isDone(state, task)) || reviewAll(state, round) !== null) return tasks
    drafts = remediation(state, round, tasks)
    if (drafts.length === 0) drafts = runGate(state, round) === null ? gateTasks(state, round, tasks) : []
  }
  return tasks
}

/** The nodes that a resume does again: unanswered questions, or the nodes that made the plan fail. */
function again(state: GroupState): string[] {
  if (state.hold !== 'no-answer') return failedBy(state, planTasksIn(state))
  // Whether the tree has to be compared first makes no difference to what is asked again.
  const growth = grow({ ...state, interruptedSeq: 0 })
  return 'hold' in growth ? growth.nodes : []
}

/** An apply waits for its turn, but needs only the result of its own task. */
function judge(one: NodeState, state: GroupState): ReturnType<NonNullable<Program['judge']>> {
  if (isKind(one, 'apply')) {
    const source = find(state, one.node.from)
    return source && isWell(source) ? null : { skip: { kind: 'need-unmet', node: one.node.from } }
  }
  if (isKind(one, 'loop') && one.node.reads) return null
  if (isKind(one, 'loop') && isSpent(state))
    return { fail: { kind: 'plan-iterations-used-up' }, reason: 'iteration-limit' }
  return undefined
}

/** A task has the autonomy of its plan. Questions to models are not assessed. */
function assessed({ node }: NodeState, state: GroupState): Partial<Assessment> {
  if (node.kind !== 'loop' || node.reads) return {}
  const { workflow, reversibility } = planOf(state)
  return { shape: autonomyOf(state), score: scoreIn(state).score, workflow, reversibility }
}

function isSpent(state: GroupState): boolean {
  const { maxIterations } = planOf(state).loop
  return maxIterations !== null && iterationsUsed(state) >= maxIterations
}

/** Null once it is known, and where the gate has failed: then its verdict completes nothing. */
function sameGate(state: GroupState, round: number): Growth | null {
  const checks = checksOf(state, round)
  const ended = checks.flatMap(({ id }) => find(state, id) ?? []).filter(hasEnded)
  const [first] = ended
  const last = ended.at(-1)
  // While a question is open, a person may be in the middle of an edit; their answer calls for the comparison.
  if (!first || !last || openGate(state) || isRefused(state)) return null
  if (ended.length === checks.length && failuresAt(state, round).length > 0) return null
  const same = sameAsJudged(state, { since: first.endedSeq ?? 0, tree: treeLeft(state, last) })
  if (same === 'known') return null
  // The last one first: as long as the first one counts as ended, the others are due to run again too.
  return same === 'verify' ? { reopen: last.node.id, because: { kind: 'tree-edited' } } : same
}

function hasEnded({ stage }: NodeState): boolean {
  return stage === 'ended'
}

/** The hold-out runs after the checks and may write into the tree too. */
function treeLeft(state: GroupState, last: NodeState): string | null {
  const holdout = find(state, 'holdout')
  const isNewer = holdout && hasEnded(holdout) && (holdout.endedSeq ?? 0) > (last.endedSeq ?? 0)
  return (isNewer ? holdout : last).end?.tree ?? null
}

/** A plan that a person has refused ends: nothing is verified, and nothing mended, for it. */
function isRefused({ nodes }: GroupState): boolean {
  return nodes.some(
    one =>
      isKind(one, 'gate') &&
      (one.node.id === 'G3' || one.node.asks === 'confirm') &&
      one.stage === 'ended' &&
      one.end?.how === 'failed',
  )
}
