/**
 * The context of a check: the loop whose promise runs it, the iteration, and the saved trees to compare. All of it
 * comes from the journal, which no agent writes; the run's mark identifies the promise.
 */
import { join } from 'node:path'
import type { Checkpoints } from '../../checkpoints/contract.ts'
import { appliedNode, find, isKind } from '../../core/group/state.ts'
import { fold } from '../../core/loop/evolve.ts'
import { treeOf } from '../../core/loop/parts/tree.ts'
import type { State } from '../../core/loop/state.ts'
import { readState } from '../../engine/machine.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { CriterionResult, Recorded } from '../../model/loop/event.ts'
import { checkpointName } from '../../model/units.ts'
import type { Store } from '../../store/contract.ts'
import { checkpointStore, pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { checkpointsOf } from '../../wiring/world.ts'

export type JudgedStep = {
  /** The directory that is judged. */
  tree: string
  env: NodeJS.ProcessEnv
  /** The saved tree at the start of the step; null at the baseline, before any work. */
  before: string | null
  /** The saved tree that is judged. */
  now: string | null
  /** The result of this check before the step; null if there is none. */
  baseline: Pick<CriterionResult, 'verdict' | 'failing' | 'total'> | null
  checkpoints: Checkpoints
  /** The git store of the checkpoints, and the directory for trial copies. */
  store: string
  trials: string
  /** The tree with which another step of the same workflow began. */
  beginOf(step: string): Result<string>
}

export function situationOf(env: NodeJS.ProcessEnv, tree: string): Result<JudgedStep> {
  const paths = pathsFrom(env)
  const store = openStoreToRead(paths)
  if (!store.ok) return store
  const [mark = ''] = (env['LOOP_RUN'] ?? '').split(' ')
  const judged = store.value && judgedBy(store.value, mark)
  if (!store.value || !judged) return fail('invalid-arguments', { kind: 'check-outside-promise' })
  const opened = store.value
  const { state, before, now, baseline } = judged
  const { spec } = state
  return ok({
    tree,
    env,
    before,
    now,
    baseline,
    checkpoints: checkpointsOf(paths, spec),
    store: checkpointStore(paths, spec),
    trials: join(paths.cache, 'trials'),
    beginOf: step => beginOf(opened, spec.group ?? '', step),
  })
}

type JudgedLoop = Pick<JudgedStep, 'before' | 'now' | 'baseline'> & { state: State }

/** `a1b2c3/verify/2-0` for a loop; for a group, the promise of the result that is being applied to its tree. */
function judgedBy(store: Store, mark: string): JudgedLoop | null {
  const [, id = '', iteration, index] = /^([a-z0-9]+)\/(?:verify\/(\d+)-(\d+))?/.exec(mark) ?? []
  if (iteration === undefined) return appliedIn(store, id)
  const events = eventsOf(store, id)
  if (!events) return null
  const state = fold(events)
  const { checkpoints } = state.tree
  const before = treeOf(checkpoints, 'initial') ?? null
  const now = treeOf(checkpoints, checkpointName(Number(iteration), true)) ?? before
  return { state, before, now, baseline: baselineOf(events, state.spec.criteria[Number(index)]?.name) }
}

function appliedIn(store: Store, id: string): JudgedLoop | null {
  const group = id === '' ? null : readState(store, id, 'group')
  if (!group?.ok) return null
  const apply = group.value.nodes.find(one => isKind(one, 'apply') && one.stage === 'started')
  const source = apply && isKind(apply, 'apply') ? appliedNode(group.value, apply.node) : undefined
  const state = source?.member ? loopState(store, source.member) : null
  if (!apply || !state) return null
  const { saved, merged } = apply.applying
  return { state, before: saved, now: merged?.tree ?? null, baseline: null }
}

function loopState(store: Store, id: string): State | null {
  const events = eventsOf(store, id)
  return events && fold(events)
}

function eventsOf(store: Store, id: string): Recorded[] | null {
  const events = store.journals.read(id)
  return events.ok && events.value[0]?.kind === 'loop.created' ? events.value : null
}

function baselineOf(events: readonly Recorded[], name: string | undefined): JudgedStep['baseline'] {
  for (const event of events) {
    if (event.kind === 'promise.verified' && event.data.iteration === 0)
      return event.data.results.find(result => result.name === name) ?? null
  }
  return null
}

function beginOf(store: Store, id: string, step: string): Result<string> {
  const group = id === '' ? null : readState(store, id, 'group')
  const member = group?.ok ? find(group.value, step)?.member : null
  const state = member ? loopState(store, member) : null
  const tree = state && treeOf(state.tree.checkpoints, 'initial')
  return tree ? ok(tree) : fail('invalid-arguments', { kind: 'step-not-begun', step })
}
