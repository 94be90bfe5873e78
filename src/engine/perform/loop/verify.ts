/**
 * Runs every criterion of a loop that has a command, and then what must not be, and states the verdicts.
 * What was cheap last time goes first, so that with `failFast` little is wasted; they are reported in the
 * order of the spec.
 */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isTestFile } from '../../../core/change.ts'
import { treeOf } from '../../../core/loop/parts/tree.ts'
import type { State } from '../../../core/loop/state.ts'
import { chainOf } from '../../../core/trust/chain.ts'
import { productKind } from '../../../core/trust/product-kinds.ts'
import { unreached } from '../../../core/trust/test-facts.ts'
import { mentionedIn } from '../../../core/trust/words.ts'
import { ok, type Result } from '../../../model/failure.ts'
import type { CriterionResult, Event } from '../../../model/loop/event.ts'
import { runsIn } from '../../../model/run.ts'
import { checkpointName } from '../../../model/units.ts'
import { verifyDir } from '../../../store/files/paths.ts'
import { judgeCriterion } from '../criterion.ts'
import { judgedAnswers } from './answer.ts'
import { readingOf, scriptText } from './promise-text.ts'
import { frozenPath } from './steering.ts'
import { stepFailed, type Task } from './steps.ts'

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

const mostFiles = 2_000
const leftOut = /^(?:\.|node_modules$|vendor$|venv$|target$|dist$|build$)/

/**
 * The files that a prompt mentions and that no test of the promise reads, told before any agent costs money. The tree is
 * walked only if the prompt mentions a file of the work, and only so far. Empty also where the promise only looks at
 * files, or runs nothing that reads the tree.
 */
function unreadWork({ spec }: State, env: NodeJS.ProcessEnv): string[] {
  const { cwd, prompt, criteria } = spec
  const isWork = (path: string) => productKind(path) === 'code' && !isTestFile(path)
  const wanted = mentionedIn(prompt).filter(path => isWork(path) && scriptText(join(cwd, path)) !== null)
  if (wanted.length === 0) return []
  const commands = criteria.flatMap(({ command }) => command ?? [])
  const chain = chainOf(commands, readingOf(cwd, env))
  if (!chain.isRunning) return []
  const code = new Map<string, string>()
  const tests = new Map<string, string>(commands.map(text => [`\0${text}`, text]))
  const isJudging = (path: string) => isTestFile(path) || chain.scripts.includes(path)
  for (const path of pathsBelow(cwd)) {
    const text = productKind(path) === 'code' ? scriptText(join(cwd, path)) : null
    if (text !== null) (isJudging(path) ? tests : code).set(path, text)
  }
  // Without a test in sight nothing can be said of what they read.
  return tests.size > commands.length ? unreached(wanted, { tests, code }) : []
}

function pathsBelow(tree: string): string[] {
  const found: string[] = []
  const open = ['']
  for (let at = open.pop(); at !== undefined && found.length < mostFiles; at = open.pop()) {
    for (const entry of namesIn(join(tree, at))) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (leftOut.test(entry.name)) continue
      if (entry.isDirectory()) open.push(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  return found
}

function namesIn(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return [] // gone or closed: the promise cannot read it either
  }
}
