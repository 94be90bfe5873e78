/**
 * Runs every criterion of a loop that has a command, and then what must not be, and states the verdicts.
 * What was cheap last time goes first, so that with `failFast` little is wasted; they are reported in the
 * order of the spec.
 */
import { join } from 'node:path'
import { verify } from '../../../adapters/verify.ts'
import { treeOf } from '../../../core/loop/parts/tree.ts'
import { floodVerdict, verdictOf } from '../../../core/loop/run/verdict.ts'
import type { State } from '../../../core/loop/state.ts'
import { doubtOf } from '../../../core/text/doubt.ts'
import { failingCount } from '../../../core/text/failing/count.ts'
import { testTotal } from '../../../core/text/failing/total.ts'
import { errorSignature } from '../../../core/text/signature.ts'
import { ok, type Result } from '../../../model/failure.ts'
import type { CriterionResult, Event } from '../../../model/loop/event.ts'
import { runsIn } from '../../../model/run.ts'
import { checkpointName } from '../../../model/units.ts'
import { excerpt, settle } from '../../../store/files/artifact.ts'
import { loopDir, verifyDir } from '../../../store/files/paths.ts'
import { cleanOf } from './redaction.ts'
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
  const found = await runEach(forbidden, iteration, { task, failFast: false })
  if (!found || !found.ok) return broken(found)
  const results = asked.flatMap(({ name }) => promise.value.find(result => result.name === name) ?? [])
  const data = { iteration, results, ...(forbidden.length > 0 && { mustNot: found.value }) }
  return [{ kind: 'promise.verified', data }]
}

function cheapFirst(asked: Question[], { judged }: State): Question[] {
  const cost = ({ name }: Question) => judged.durations[name] ?? 0
  return asked.toSorted((a, b) => cost(a) - cost(b))
}

/** Nothing when it was aborted: then nothing of it runs any more. */
function broken(outcome: Result<unknown> | null): Event[] {
  return outcome && !outcome.ok ? [stepFailed('verify', outcome.failure.message)] : []
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
  const { spec } = state
  const root = loopDir(world.store.paths, state.id)
  const path = verifyDir(iteration, index)
  const pending = verify(
    {
      command,
      dir: join(root, path),
      cwd: runsIn(spec),
      mounts: spec.copy?.mounts,
      env: { ...world.env, ...spec.env },
      timeoutMs: spec.verifyTimeoutMs,
      graceMs: spec.graceMs,
      maxOutputBytes: spec.maxOutputBytes,
      marker: `${state.id}/${path}`,
    },
    world.here,
    signal,
  )
  world.fault('verify')
  const verified = await pending
  if (verified === null || !verified.ok) return verified
  const { exit, flooded, durationMs } = verified.value
  const clean = cleanOf(world.env)
  const verdict = flooded ? floodVerdict(spec.maxOutputBytes) : verdictOf(exit, spec.verifyTimeoutMs)
  return ok({
    name,
    command,
    ...verdict,
    exitCode: exit?.code ?? null,
    ...(exit?.timedOut && !flooded && { timedOut: true }),
    durationMs,
    ...readOutput(join(root, path, 'out'), {
      clean,
      mayDoubt: iteration === 0 && verdict.verdict === 'FAIL',
    }),
    checkpoint: savedAs(state, iteration),
    output: settle(root, join(path, 'out'), clean),
  })
}

type Read = Pick<CriterionResult, 'failing' | 'total' | 'signature' | 'doubt'>
type Reading = { clean(text: string): string; mayDoubt: boolean }

/** Runners count at the end, some at the beginning: both ends are read, whatever lies between. */
function readOutput(file: string, { clean, mayDoubt }: Reading): Read {
  const { head, tail, omittedBytes } = excerpt(file, 100_000)
  const text = omittedBytes > 0 ? `${head}\n${tail}` : head
  const total = testTotal(text, omittedBytes === 0)
  const doubt = mayDoubt ? doubtOf(clean(text))?.slice(0, 300) : undefined
  return {
    failing: failingCount(text),
    ...(total !== null && { total }),
    signature: errorSignature(clean(text)),
    ...(doubt !== undefined && { doubt }),
  }
}

/** The name under which the tree that is judged is saved, if it is. */
function savedAs({ tree }: State, iteration: number): string | null {
  const name = checkpointName(iteration, true)
  return treeOf(tree.checkpoints, name) ? name : null
}
