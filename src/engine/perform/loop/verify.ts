/**
 * Runs every criterion of a loop that has a command, and then what must not be, and states the verdicts.
 * What was cheap last time goes first, so that with `failFast` little is wasted; they are reported in the
 * order of the spec.
 */

import { treeOf } from '../../../core/loop/parts/tree.ts'
import type { State } from '../../../core/loop/state.ts'
import { ok, type Result } from '../../../model/failure.ts'
import type { CriterionResult, Event } from '../../../model/loop/event.ts'
import { runsIn } from '../../../model/run.ts'
import { checkpointName } from '../../../model/units.ts'
import { verifyDir } from '../../../store/files/paths.ts'
import { judgeCriterion } from '../criterion.ts'
import { judgedAnswers } from './answer.ts'
import { frozenPath } from './steering.ts'
import { stepFailed, type Task } from './steps.ts'
import { unreadWork } from './unread-work.ts'

/** One command to run; `index` tells its directory from the others of the iteration. */
type Question = { name: string; command: string; index: number }

export function verifyAll(iteration: number, task: Task): Promise<Event[]> {
  const { serialPromise = false, group } = task.state.spec
  return serialPromise && group !== undefined
    ? inTurn(group, task.signal, () => judgeAll(iteration, task))
    : judgeAll(iteration, task)
}

const turns = new Map<string, Promise<unknown>>()

/** Members of a group have one host. Nothing, where it was aborted while it waited. */
async function inTurn(group: string, signal: AbortSignal, work: () => Promise<Event[]>): Promise<Event[]> {
  const before = turns.get(group) ?? Promise.resolve()
  const own = before.catch(() => null).then(() => (signal.aborted ? [] : work()))
  turns.set(group, own)
  try {
    return await own
  } finally {
    if (turns.get(group) === own) turns.delete(group)
  }
}

async function judgeAll(iteration: number, task: Task): Promise<Event[]> {
  const { criteria, mustNot = [], failFast = false } = task.state.spec
  const asked = criteria.flatMap(({ name, command }, index) =>
    command === null ? [] : { name, command, index },
  )
  const forbidden = mustNot.map((one, i) => ({ ...one, index: criteria.length + i }))
  const promise = await runEach(cheapFirst(asked, task.state), iteration, { task, failFast })
  if (!promise || !promise.ok) return broken(promise)
  const answers = await judgedAnswers(iteration, task)
  const found = await runEach(forbidden, iteration, { task, failFast: false })
  if (!found || !found.ok) return broken(found)
  const judged = [...promise.value, ...answers]
  const results = criteria.flatMap(({ name }) => judged.find(result => result.name === name) ?? [])
  const unread = iteration === 0 ? unreadWork(task.state, task.world.env) : []
  const data = {
    iteration,
    results,
    ...(forbidden.length > 0 && { mustNot: found.value }),
    ...(unread.length > 0 && { unread }),
  }
  return [{ kind: 'promise.verified', data }]
}

function cheapFirst(asked: Question[], { judged }: State): Question[] {
  const cost = ({ name }: Question) => judged.durations[name] ?? 0
  return asked.toSorted((a, b) => cost(a) - cost(b))
}

/** Nothing when it was aborted: then nothing of it runs any more. */
function broken(outcome: Result<unknown> | null): Event[] {
  return outcome && !outcome.ok ? [stepFailed('verify', outcome.failure.facts)] : []
}

type Wish = { task: Task; failFast: boolean }

async function runEach(
  questions: Question[],
  iteration: number,
  { task, failFast }: Wish,
): Promise<Result<CriterionResult[]> | null> {
  const results: CriterionResult[] = []
  for (const question of questions) {
    const result = await runOne(question, iteration, task)
    if (!result || !result.ok) return result
    results.push(result.value)
    if (failFast && result.value.verdict !== 'PASS') break
  }
  return ok(results)
}

async function runOne(
  { name, command, index }: Question,
  iteration: number,
  task: Task,
): Promise<Result<CriterionResult> | null> {
  const { world, state, signal } = task
  const { id } = state
  const spec = { ...state.spec, env: { ...frozenPath(task), ...state.spec.env } }
  const run = { id, dir: verifyDir(iteration, index), name, command, spec, cwd: runsIn(spec) }
  const before = state.judged.results.find(result => result.name === name)?.output.path
  const asked = { ...run, mounts: spec.copy?.mounts, mayDoubt: iteration === 0, before }
  const judged = await judgeCriterion(asked, world, signal)
  return judged?.ok ? ok({ ...judged.value, checkpoint: savedAs(state, iteration) }) : judged
}

/** The name under which the tree that is judged is saved, if it is. */
function savedAs({ tree }: State, iteration: number): string | null {
  const name = checkpointName(iteration, true)
  return treeOf(tree.checkpoints, name) ? name : null
}
