/**
 * perform(step): one adapter call, and the events that state what came of it. Appends nothing itself.
 * Aborted, it returns no events and leaves nothing of its own running, except an agent run: that goes on, and
 * only the step `stop` ends it.
 */
import { isDeepStrictEqual } from 'node:util'
import { placeOf, replaced } from '../../../adapters/work-tree.ts'
import type { Checkpoints } from '../../../checkpoints/contract.ts'
import { userHead } from '../../../checkpoints/user-head.ts'
import type { Step } from '../../../core/loop/decide.ts'
import type { LoopKinds } from '../../../core/loop/machine.ts'
import { guards } from '../../../core/loop/parts/tree.ts'
import type { State } from '../../../core/loop/state.ts'
import { ok, type Result } from '../../../model/failure.ts'
import { matchesGlob } from '../../../model/glob.ts'
import type { Event } from '../../../model/loop/event.ts'
import { checkpointName, formatDuration, verifiedName } from '../../../model/units.ts'
import type { StepTask } from '../../machine.ts'
import { refusalOf } from '../refusal.ts'
import { attachHook, hookFailed, startHook, stopHook } from './hook.ts'
import { attachRun, clearRun, prepareRun, stopRun } from './run.ts'
import { verifyAll } from './verify.ts'

const checkpointMs = 10 * 60_000

export type Task = StepTask<LoopKinds>

export async function perform(step: Step, task: Task): Promise<Event[]> {
  const events = await attempt(step, task)
  const { rollback, wanted } = task.state.tree
  const asked = step.kind === 'checkpoint' && step.name === wanted
  // What fails while a person's wish is carried out fails the wish, not the loop: else it would be tried for ever.
  return events.map(event => {
    if (event.kind !== 'step.failed') return event
    const { why } = event.data
    const ofHook = hookFailed(step, task.state, why)
    if (ofHook) return ofHook
    if (rollback) return { kind: 'rollback.failed', data: { to: rollback.to, why } }
    return asked ? { kind: 'checkpoint.failed', data: { name: step.name, why } } : event
  })
}

async function attempt(step: Step, task: Task): Promise<Event[]> {
  try {
    return await dispatch(step, task)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    return [stepFailed(step.kind, refusal)]
  }
}

/** What only ends or watches a run is done wherever the tree is. */
const anywhere: Step['kind'][] = ['attach', 'stop', 'clear', 'hook', 'hook-stop']

/** Why the step must not be done in the directory that is there now, and what to do about it. */
function isElsewhere(step: Step, { spec, tree }: State): string | null {
  const found = anywhere.includes(step.kind) ? null : replaced(spec.cwd, tree.place)
  if (!found) return null
  const { isAnew, why } = found
  if (!isAnew) return `${why}. Put the directory back first`
  // Whoever rolls back means the directory that is there: a copy from a backup, or one made anew for its files.
  return tree.rollback ? null : `${why}. If that is meant, resume the loop`
}

async function dispatch(step: Step, task: Task): Promise<Event[]> {
  const elsewhere = isElsewhere(step, task.state)
  if (elsewhere !== null) return [stepFailed(step.kind, elsewhere)]
  switch (step.kind) {
    case 'verify':
      return verify(step.iteration, task)
    case 'checkpoint':
      return checkpoint(
        { ...step, isGuarded: step.name === checkpointName(task.state.work.iteration, true) },
        task,
      )
    case 'prepare':
      return prepareRun(step, task)
    case 'attach':
      return attachRun(task)
    case 'stop':
      return stopRun(task)
    case 'clear':
      return clearRun(task)
    case 'restore':
      return restore(step, task)
    case 'hook-start':
      return startHook(step, task)
    case 'hook':
      return attachHook(task)
    case 'hook-stop':
      return stopHook(task)
    default:
      return step satisfies never
  }
}

/**
 * Where files are protected, no verdict is recorded without what the promise did to them while it ran. Elsewhere the
 * next iteration's checkpoint shows what the promise changed; after a promise that holds there is none, so the tree
 * is looked at here.
 */
async function verify(iteration: number, task: Task): Promise<Event[]> {
  const events = await verifyAll(iteration, task)
  const verdict = events.find(({ kind }) => kind === 'promise.verified')
  if (verdict?.kind !== 'promise.verified') return events
  const holds = verdict.data.results.every(({ verdict: found }) => found === 'PASS')
  const isLast = holds && iteration > 0 && task.state.spec.checkpoint !== 'none'
  if (!isLast && !guards(task.state)) return events
  const since = task.state.tree.left
  const look = await checkpoint({ name: verifiedName(iteration), since, isGuarded: true }, task)
  const isSaved = look.some(({ kind }) => kind === 'checkpoint.taken')
  return isSaved ? [...look, ...events] : look
}

/** `isGuarded`: protected files are compared with the reference. */
type Save = { name: string; since: string | null; isGuarded: boolean }

async function checkpoint(step: Save, task: Task): Promise<Event[]> {
  const { world, state, signal } = task
  const backend = world.checkpoints(state.spec)
  // What an agent can put into a tree can make git wait for ever: a FIFO in place of a .gitignore.
  const deadline = AbortSignal.timeout(checkpointMs)
  const pending = backend.take({
    loop: state.id,
    name: step.name,
    since: step.since,
    signal: AbortSignal.any([signal, deadline]),
  })
  world.fault('checkpoint')
  const taken = await pending
  if (signal.aborted) return []
  if (deadline.aborted && !taken.ok) {
    return [
      stepFailed(
        `checkpoint ${step.name}`,
        `not done within ${formatDuration(checkpointMs)}; is there a FIFO or a dead mount in the tree?`,
      ),
    ]
  }
  if (!taken.ok) return [stepFailed(`checkpoint ${step.name}`, taken.failure.message)]
  const { changed, ...saved } = taken.value
  const touched = await touchedIn(saved.tree, { step, state, backend })
  if (!touched.ok) return [stepFailed(`checkpoint ${step.name}`, touched.failure.message)]
  const paths = changed?.slice(0, mostPaths) ?? []
  const place = placeOf(state.spec.cwd)
  const data = {
    name: step.name,
    ...saved,
    ...(place && { place }),
    ...(paths.length > 0 && { paths }),
    ...(touched.value.length > 0 && { touched: touched.value }),
    ...movedHead(state),
  }
  return [{ kind: 'checkpoint.taken', data }]
}

/** Where HEAD of the user's repository is, if it is not where it was at the last look. */
function movedHead({ spec, doubts }: State) {
  const repository = userHead(spec.cwd)
  return isDeepStrictEqual(repository, doubts.repository) ? {} : { repository }
}

const mostPaths = 20

type Guarded = { step: Save; state: State; backend: Checkpoints }

/** The protected files that are not as they are in the reference. */
async function touchedIn(tree: string | null, { step, state, backend }: Guarded): Promise<Result<string[]>> {
  const { reference } = state.tree
  const { protect = [] } = state.spec
  if (!step.isGuarded || !guards(state) || reference === null || tree === null) return ok([])
  const changed = await backend.changed({ from: reference, to: tree })
  if (!changed.ok) return changed
  return ok(changed.value.filter(path => protect.some(glob => matchesGlob(path, glob))))
}

async function restore(step: Extract<Step, { kind: 'restore' }>, task: Task): Promise<Event[]> {
  const { world, state, signal } = task
  const { to, tree, keepAs } = step
  // What a half-way state was is kept too, under another name: keepAs is what the person had.
  const request = { loop: state.id, tree, keepAs: `${keepAs}-half`, signal }
  const pending = world.checkpoints(state.spec).restore(request)
  world.fault('restore')
  const restored = await pending
  if (!restored.ok && signal.aborted) return []
  if (!restored.ok) return [stepFailed(`rollback to ${to}`, restored.failure.message)]
  const { written, deleted, left } = restored.value
  return [{ kind: 'tree.restored', data: { to, written, deleted, ...(left.length > 0 && { left }) } }]
}

export function stepFailed(step: string, why: string): Event {
  return { kind: 'step.failed', data: { step, why } }
}
