/**
 * The tasks of a plan and their waves. Each task is a loop in a copy of the tree as its wave found it. Results are
 * applied to the tree in the order of the tasks; if two of them changed the same place, the later task is done again on
 * the result of the earlier one. After every merge, the commands of all tasks in the tree are run again.
 *
 *   T-001 → T-001/apply ┐
 *   T-002 → T-002/apply ┴→ wave-1/review → (G2/1) → T-003 …
 */
import type { NodeReason } from '../../failures/node.ts'
import type { GroupNode, NodeOf } from '../../model/group/node.ts'
import type { PlanTask } from '../../model/plan.ts'
import { find, type GroupState, isSettled, isWell } from '../group/state.ts'
import type { Growth } from '../programs/program.ts'
import { questionNode } from '../programs/question.ts'
import { askPeople, isAgreed, wantsGate } from './gates.ts'
import { lightReviewPrompt, taskPrompt } from './prompts.ts'
import { isNodeOver, planOf, said, shapeIn } from './read.ts'

const mostRounds = 3

function applyId({ id }: Pick<PlanTask, 'id'>): string {
  return `${id}/apply`
}

export function isDone(state: GroupState, task: PlanTask): boolean {
  const apply = find(state, applyId(task))
  return apply !== undefined && isWell(apply)
}

/** Null once every task is in the tree. */
export function runTasks(state: GroupState, tasks: readonly PlanTask[]): Growth | null {
  const waves = [...new Set(tasks.map(({ wave }) => wave))].sort((a, b) => a - b)
  for (const wave of waves) {
    const growth = runWave(state, wave, tasks)
    if (growth) return growth
  }
  return null
}

function runWave(state: GroupState, wave: number, tasks: readonly PlanTask[]): Growth | null {
  const own = tasks.filter(task => task.wave === wave)
  const missing = own.flatMap((task, i) =>
    find(state, task.id) ? [] : nodesOf(state, { task, tasks, i, own }),
  )
  if (missing.length > 0) return { plan: missing }
  const again = own.map(task => doneAgain(state, task)).find(growth => growth !== null)
  if (again) return again
  if (!own.every(task => isNodeOver(state, applyId(task)))) return { wait: true }
  const failed = own.filter(task => !isDone(state, task))
  if (failed.length > 0)
    return { end: 'failed', reason: 'node-failed', why: failed.map(({ id }) => id).join(', ') }
  return reviewWave(state, wave, own) ?? showWave(state, wave, own)
}

type Placed = { task: PlanTask; tasks: readonly PlanTask[]; i: number; own: readonly PlanTask[] }

function nodesOf(state: GroupState, { task, tasks, i, own }: Placed): GroupNode[] {
  // Without the hold-out: it judges the whole plan, see `final`.
  const { counsel } = planOf(state)
  const { holdout: _, ...loop } = planOf(state).loop
  const shape = shapeIn(state)
  if (!shape) throw new Error('Internal error: a task without the shape it is for')
  const before = own[i - 1]
  const node: NodeOf<'loop'> = {
    kind: 'loop',
    id: task.id,
    needs: [],
    place: 'copy',
    base: 'now',
    of: task.id,
    spec: {
      ...loop,
      prompt: taskPrompt(task, shape),
      criteria: [{ name: task.id, command: task.verify }],
      mustNot: [...(loop.mustNot ?? []), ...shape.mustNot],
      maxIterations: iterationsLeft(state),
      budgetUsd: null,
      ...(counsel && { counsel: true }),
    },
  }
  const done = tasks.filter(
    other => other.wave < task.wave || (own.indexOf(other) < i && other.wave === task.wave),
  )
  const apply: GroupNode = {
    kind: 'apply',
    id: applyId(task),
    needs: [task.id, ...(before ? [applyId(before)] : [])],
    from: task.id,
    ...(done.length > 0 && { checks: done.map(({ id, verify }) => ({ name: id, command: verify })) }),
  }
  return [node, apply]
}

/** `-n` of a plan is the sum of the iterations of its tasks. */
function iterationsLeft(state: GroupState): number | null {
  const { maxIterations } = planOf(state).loop
  return maxIterations === null ? null : Math.max(1, maxIterations - iterationsUsed(state))
}

export function iterationsUsed({ nodes }: GroupState): number {
  return nodes.reduce(
    (sum, { node, end }) => sum + (node.kind === 'loop' && !node.reads ? (end?.iterations ?? 0) : 0),
    0,
  )
}

/** Does a task again if its result no longer fits the tree. */
function doneAgain(state: GroupState, task: PlanTask): Growth | null {
  const apply = find(state, applyId(task))
  const source = find(state, task.id)
  if (!apply || !source || !isSettled(apply) || isWell(apply)) return null
  if (!isSettled(source)) return { reopen: apply.node.id, because: { kind: 'source-again', node: task.id } }
  if (apply.stage !== 'ended' || !isWell(source) || apply.reopened.length >= mostRounds) return null
  const { how, conflicts = [] } = apply.end ?? {}
  const because: NodeReason =
    how === 'conflict'
      ? { kind: 'result-conflicts', others: 'tasks', conflicts }
      : { kind: 'result-fails', others: 'tasks' }
  return { reopen: source.node.id, because }
}

/** The review of a wave never blocks: neither by its result nor by a missing answer. */
function reviewWave(state: GroupState, wave: number, tasks: readonly PlanTask[]): Growth | null {
  const { loop, reviewLight, reviewers } = planOf(state)
  const shape = shapeIn(state)
  if (!reviewLight || !shape) return null
  const id = waveReview(wave)
  if (find(state, id)) return isNodeOver(state, id) ? null : { wait: true }
  const [first] = tasks
  const node = questionNode(loop, {
    id,
    needs: [],
    schema: 'review',
    prompt: lightReviewPrompt(shape, tasks),
    ...(reviewers[0] && { agent: reviewers[0] }),
  })
  return { plan: [{ ...node, ...(first && { context: { changesSince: `before-${applyId(first)}-1` } }) }] }
}

export function waveReview(wave: number): string {
  return `wave-${wave}/review`
}

function showWave(state: GroupState, wave: number, tasks: readonly PlanTask[]): Growth | null {
  if (!wantsGate(state, 'G2')) return null
  const id = `G2/${wave}`
  const steps = tasks.map(({ id: name, subject }) => `${name}: ${subject}`).join('; ')
  const asked = askPeople(state, {
    id,
    asks: 'gate',
    question: `Step ${steps} complete. Continue?`,
  })
  if (asked) return asked
  return isAgreed(said(state, id)) ? null : { end: 'failed', reason: 'rejected', why: id }
}
