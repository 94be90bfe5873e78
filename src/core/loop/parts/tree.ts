/**
 * The part of evolve that is about the work tree: what was saved of it, who changed it, and which tree its
 * protected files are compared with. Records and never judges, as evolve does.
 *
 * That tree is the reference: the one the loop began with, or, once a person has resumed the loop or answered
 * it, the one that person left. Both the agent and the promise are measured against it:
 *
 *   reference ─▶ agent ─▶ iter-N-after (compared) ─▶ promise ─▶ iter-N-verified (compared) ─▶ the verdict counts
 */
import type { Changes, EventOf } from '../../../model/loop/event.ts'
import { acceptedName, checkpointName, verifiedName } from '../../../model/units.ts'
import type { Stage, State } from '../state.ts'
import { treeOf } from './checkpoints.ts'

type Taken = EventOf<'checkpoint.taken'>['data']

/** Files that were changed, some of them by name. */
export type Changed = { changes: Changes; paths: string[] }

/** Whether protected files are compared at all; without checkpoints they cannot be, and `start` refuses that. */
export function guards({ spec }: State): boolean {
  return (spec.protect?.length ?? 0) > 0 && spec.checkpoint !== 'none'
}

/** Of a loop that has just been created. */
export const unsaved = {
  checkpoints: null,
  changes: null,
  paths: [],
  touched: [],
  touchedByPromise: [],
  reference: null,
  left: null,
  byPromise: null,
} satisfies Partial<State>

export function taken(state: State, data: Taken): Partial<State> {
  const checkpoints = { name: data.name, tree: data.tree, earlier: state.checkpoints }
  if (data.name === state.rollback?.keepAs) return { checkpoints, lastKept: data.name }
  if (data.name === state.wanted) return { checkpoints, wanted: null }
  if (data.name === checkpointName(0) || data.name === acceptedName(state.iteration)) {
    return { checkpoints, ...referenceTaken(state, data) }
  }
  if (data.name === verifiedName(state.iteration)) return { checkpoints, ...promiseLeft(state, data) }
  const next: Partial<Record<Stage, Stage>> = { initial: 'boundary', boundary: 'saved', cleared: 'settled' }
  const stage = next[state.stage] ?? state.stage
  return {
    checkpoints,
    stage,
    reference: state.reference ?? data.tree,
    ...(state.stage === 'boundary' && nextBegins(state, data)),
    ...(stage === 'settled' && agentLeft(state, data)),
  }
}

/** The last verdict is about another tree if the person has changed something: it is asked for again. */
function referenceTaken(state: State, { tree }: Taken): Partial<State> {
  const reference = { reference: tree, left: tree }
  const judged = state.stage === 'initial' || state.stage === 'boundary'
  if (!judged || treeOf(state.checkpoints, verifiedName(state.iteration)) === tree) return reference
  return { ...reference, ...(state.stage === 'initial' ? { stage: 'baseline' } : { finalDue: true }) }
}

function agentLeft(state: State, data: Taken): Partial<State> {
  return {
    changes: data.changes,
    paths: data.paths ?? [],
    unchangedInRow: data.changes?.files === 0 ? state.unchangedInRow + 1 : 0,
    left: data.tree,
    byPromise: null,
    touched: data.touched ?? [],
    touchedByPromise: [],
  }
}

function promiseLeft(state: State, data: Taken): Partial<State> {
  const touched = data.touched ?? []
  const others = state.left === null ? touched : state.touched
  return {
    left: null,
    byPromise: changedIn(data),
    touched,
    touchedByPromise: touched.filter(path => !others.includes(path)),
  }
}

/** Without protected files this is the first look at the tree after the promise. */
function nextBegins(state: State, data: Taken): Partial<State> {
  const byPromise = data.changes ? changedIn(data) : state.byPromise
  return { iteration: state.iteration + 1, left: null, byPromise }
}

function changedIn({ changes, paths = [] }: Taken): Changed | null {
  return changes && changes.files > 0 ? { changes, paths } : null
}

/** What the promise said of another tree is no longer known. */
export function restored(state: State): Partial<State> {
  return {
    rollback: null,
    left: null,
    byPromise: null,
    touched: [],
    touchedByPromise: [],
    ...(state.outcome?.kind !== 'completed' && {
      results: [],
      mustNot: [],
      changes: null,
      confirmed: {},
      question: null,
    }),
  }
}

/**
 * A person who resumes a loop that rests accepts its tree as it is. Not what they have not been told: protected
 * files that were changed while the loop stopped for something else, or by a promise that was cut short.
 */
export function accepted(state: State, { stays }: EventOf<'loop.resumed'>['data']): Partial<State> {
  if (stays || (!state.hold && !state.outcome)) return {}
  const told = state.touched.length === 0 || state.hold?.reason === 'protected-changed'
  const between = ['baseline', 'initial', 'boundary'].includes(state.stage) && !state.failedStep
  if (!told || !between) return { left: null }
  return { left: null, reference: null, touched: [], touchedByPromise: [] }
}
