/**
 * perform(step) for loops: one adapter call, and the events that state its result. It appends nothing itself. An
 * aborted step returns no events and leaves nothing running, except an agent run, which only the step `stop` ends.
 */
import { isDeepStrictEqual } from 'node:util'
import { placeOf, replaced } from '../../../adapters/work-tree.ts'
import type { Checkpoints } from '../../../checkpoints/contract.ts'
import { userHead } from '../../../checkpoints/user-head.ts'
import type { Step } from '../../../core/loop/decide.ts'
import type { LoopKinds } from '../../../core/loop/machine.ts'
import { guards, purposeOf, treeOf } from '../../../core/loop/parts/tree.ts'
import type { State } from '../../../core/loop/state.ts'
import { raisedBy } from '../../../core/reversibility.ts'
import type { Facts } from '../../../failures/all.ts'
import { ok, type Result } from '../../../model/failure.ts'
import { matchesGlob } from '../../../model/glob.ts'
import type { Raised } from '../../../model/loop/assessment.ts'
import type { Event } from '../../../model/loop/event.ts'
import { runsIn } from '../../../model/run.ts'
import { checkpointName, verifiedName } from '../../../model/units.ts'
import { holdoutDir } from '../../../store/files/paths.ts'
import { unseal } from '../../../store/files/sealed.ts'
import type { StepTask } from '../../machine.ts'
import { inWords } from '../../recorded.ts'
import { judgeCriterion } from '../criterion.ts'
import { orRefused } from '../refusal.ts'
import { attachHook, hookFailed, startHook, stopHook } from './hook.ts'
import { takeLook } from './look.ts'
import { attachRun, clearRun, prepareRun, stopRun } from './run.ts'
import { frozenPath, lookForSteering, recordSteering } from './steering.ts'
import { verifyAll } from './verify.ts'

const checkpointMs = 10 * 60_000

export type Task = StepTask<LoopKinds>

export async function perform(step: Step, task: Task): Promise<Event[]> {
  const events = await orRefused(
    () => dispatch(step, task),
    refusal => stepFailed(step.kind, refusal),
  )
  const { rollback, wanted } = task.state.tree
  const asked = step.kind === 'checkpoint' && step.name === wanted
  // A failure while a person's command is carried out fails the command, not the loop: otherwise it would be retried
  // forever.
  return events.map(event => {
    if (event.kind !== 'step.failed') return event
    const { step: _, ...reason } = event.data
    const ofHook = hookFailed(step, task.state, reason)
    if (ofHook) return ofHook
    if (rollback) return { kind: 'rollback.failed', data: { to: rollback.to, ...reason } }
    return asked ? { kind: 'checkpoint.failed', data: { name: step.name, ...reason } } : event
  })
}

/** Steps that only watch or end a run work wherever the tree is. */
const anywhere: Step['kind'][] = ['attach', 'stop', 'clear', 'hook', 'hook-stop']

/** Why the step must not be done in the directory that is there now. */
function elsewhereOf(step: Step, { spec, tree }: State): Facts | null {
  const found = anywhere.includes(step.kind) ? null : replaced(spec.cwd, tree.place)
  // A person who rolls back means the present directory: a restored backup, or a new directory for the files.
  return found?.kind === 'tree-replaced' && tree.rollback ? null : found
}

async function dispatch(step: Step, task: Task): Promise<Event[]> {
  const elsewhere = elsewhereOf(step, task.state)
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
    case 'look':
      return takeLook(step, task)
    case 'compare':
      return compare(step, task)
    case 'holdout':
      return judgeHoldout(step.iteration, task)
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
 * With protected files, a verdict is recorded only together with the promise's changes to them. Without, the
 * checkpoint of the next iteration shows those changes; after a passed promise there is none, so the tree is looked
 * at here.
 */
async function verify(iteration: number, task: Task): Promise<Event[]> {
  const verifiedAtMs = task.world.now()
  const events = await verifyAll(iteration, task)
  const verdict = events.find(({ kind }) => kind === 'promise.verified')
  if (verdict?.kind !== 'promise.verified') return events
  const holds = verdict.data.results.every(({ verdict: found }) => found === 'PASS')
  const isLast = holds && iteration > 0 && task.state.spec.checkpoint !== 'none'
  if (!isLast && !guards(task.state)) return events
  const since = task.state.tree.left
  const look = await checkpoint({ name: verifiedName(iteration), since, isGuarded: true }, task)
  const saved = look.find(({ kind }) => kind === 'checkpoint.taken')
  if (saved?.kind !== 'checkpoint.taken') return look
  const { tree } = saved.data
  const looked = isLast && tree !== null ? await lookForSteering({ tree, verifiedAtMs }, task) : ok(null)
  if (!looked.ok) return [stepFailed('verify', looked.failure.facts)]
  const { steered = [], allowed = [], product = null, ...more } = looked.value ?? {}
  const found = {
    ...(steered.length > 0 && { steered }),
    ...(allowed.length > 0 && { allowed }),
    ...more,
    ...(product !== null && { product }),
  }
  const judged = events.map(event =>
    event === verdict ? { ...verdict, data: { ...verdict.data, ...found } } : event,
  )
  return [...look, ...judged]
}

/** Trees that cannot be compared (thrown away, unreadable) count as different: the promise tells. */
async function compare(
  { iteration, compareWith: since }: Extract<Step, { kind: 'compare' }>,
  { world, state, signal }: Task,
): Promise<Event[]> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(checkpointMs)])
  const found = await world.checkpoints(state.spec).changedSince({ since, signal: until })
  if (signal.aborted) return []
  const { changes, changed } = found.ok ? found.value : { changes: null, changed: [] }
  const paths = changed.slice(0, mostPaths)
  return [{ kind: 'tree.compared', data: { iteration, changes, ...(paths.length > 0 && { paths }) } }]
}

/** `isGuarded`: protected files are compared with the reference. */
type Save = { name: string; since: string | null; isGuarded: boolean }

async function checkpoint(step: Save, task: Task): Promise<Event[]> {
  const { world, state, signal } = task
  const backend = world.checkpoints(state.spec)
  // An agent can create files that make git block forever, such as a FIFO named .gitignore.
  const deadline = AbortSignal.timeout(checkpointMs)
  const pending = backend.take({
    loop: state.id,
    name: step.name,
    since: step.since,
    isNew: treeOf(state.tree.checkpoints, step.name) === undefined,
    signal: AbortSignal.any([signal, deadline]),
  })
  world.fault('checkpoint')
  const taken = await pending
  if (signal.aborted) return []
  if (deadline.aborted && !taken.ok) {
    return [stepFailed(`checkpoint ${step.name}`, { kind: 'checkpoint-overdue', ms: checkpointMs })]
  }
  if (!taken.ok) return [stepFailed(`checkpoint ${step.name}`, taken.failure.facts)]
  const { changed, ...saved } = taken.value
  const touched = await touchedIn(saved.tree, { step, state, backend })
  if (!touched.ok) return [stepFailed(`checkpoint ${step.name}`, touched.failure.facts)]
  const paths = changed?.slice(0, mostPaths) ?? []
  const place = placeOf(state.spec.cwd)
  const steering = await recordSteering(task)
  const data = {
    name: step.name,
    ...saved,
    ...(steering !== null && { steering }),
    ...(place && { place }),
    ...(paths.length > 0 && { paths }),
    ...(touched.value.length > 0 && { touched: touched.value }),
    ...movedHead(state),
    ...raised(step.name, changed ?? [], state),
  }
  return [{ kind: 'checkpoint.taken', data }]
}

/** The HEAD of the user's repository, if it has moved since the last look. */
function movedHead({ spec, doubts }: State) {
  const repository = userHead(spec.cwd)
  return isDeepStrictEqual(repository, doubts.repository) ? {} : { repository }
}

/** Only the agent's changes count. */
function raised(name: string, changed: readonly string[], state: State): { raises?: Raised } {
  if (purposeOf(state, name) !== 'after') return {}
  const raises = raisedBy(changed, state.assessed.reversibility)
  return raises ? { raises } : {}
}

const mostPaths = 20

type Guarded = { step: Save; state: State; backend: Checkpoints }

/** The protected files that differ from the reference. */
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
  // The partial state is kept too, under another name: keepAs is the person's own tree.
  const request = { loop: state.id, tree, keepAs: `${keepAs}-half`, signal }
  const pending = world.checkpoints(state.spec).restore(request)
  world.fault('restore')
  const restored = await pending
  if (!restored.ok && signal.aborted) return []
  if (!restored.ok) return [stepFailed(`rollback to ${to}`, restored.failure.facts)]
  const { written, deleted, left } = restored.value
  return [{ kind: 'tree.restored', data: { to, written, deleted, ...(left.length > 0 && { left }) } }]
}

export function stepFailed(step: string, facts: Facts): Event {
  return { kind: 'step.failed', data: { step, ...inWords(facts) } }
}

/**
 * The hold-out: a command of the user that runs after the promise has passed, in the same tree. The journal has it
 * sealed, and it is opened here: no prompt, state file or other file of the tree names the command or its output.
 */
async function judgeHoldout(iteration: number, task: Task): Promise<Event[]> {
  const { world, state, signal } = task
  const { holdout: sealed } = state.spec
  if (sealed === undefined) throw new Error('Internal error: a hold-out that nobody asked for')
  const { paths } = world.store
  const command = unseal(paths, sealed)
  if (command === null) {
    return [stepFailed('hold-out', { kind: 'holdout-sealed', key: paths.sealKey })]
  }
  const spec = { ...state.spec, env: { ...frozenPath(task), ...state.spec.env } }
  const run = { id: state.id, dir: holdoutDir(iteration), name: 'hold-out', command, isHidden: true, spec }
  const place = { cwd: runsIn(spec), mounts: spec.copy?.mounts }
  const judged = await judgeCriterion({ ...run, ...place, mayDoubt: false }, world, signal)
  if (judged === null) return []
  if (!judged.ok) return [stepFailed('hold-out', judged.failure.facts)]
  return [{ kind: 'holdout.judged', data: { iteration, result: { ...judged.value, command: sealed } } }]
}
