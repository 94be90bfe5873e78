/**
 * The work tree of a loop: what was saved of it, who changed it, and which tree its protected files are compared
 * with. Records and never judges.
 *
 * That tree is the reference: the one the loop began with, or, once a person has resumed the loop or answered
 * it, the one that person left. Both the agent and the promise are measured against it:
 *
 *   reference ─▶ agent ─▶ iter-N-after (compared) ─▶ promise ─▶ iter-N-verified (compared) ─▶ the verdict counts
 */
import type { Changes, CriterionResult, EventOf, TreePlace } from '../../../model/loop/event.ts'
import { acceptedName, checkpointName, verifiedName } from '../../../model/units.ts'
import type { State } from '../state.ts'
import { isBeingAdvised, type On, part, type RecordedOf } from './part.ts'
import { isSteered } from './trust.ts'

/** Changed files: their counts and some of their names. */
export type Changed = { changes: Changes; paths: string[] }

/**
 * The checkpoints as a linked list, newest first, so that adding one costs the same however many there are.
 * Most lookups want a recent one.
 */
type CheckpointList = { name: string; tree: string | null; earlier: CheckpointList | null }

/**
 * `epoch`: the host that compared. `same`: the tree was the one that the promise left. `looked`: second looks were taken
 * since, which need time.
 */
type TreeComparison = { epoch: number; same: boolean; looked?: true }

export type TreePart = {
  checkpoints: CheckpointList | null
  /** The changes of the newest finished iteration, and some of its files by name. */
  changes: Changes | null
  paths: string[]
  /** Protected files that differ from the reference, and those of them that the promise has changed. */
  touched: string[]
  touchedByPromise: string[]
  /** The tree that protected files are compared with; null: the next saved one. */
  reference: string | null
  /** The checksum of the fingerprints that belong to the reference; null before the first. */
  steeringSum: string | null
  /** The tree saved before the promise ran, until it is known what the promise changed in it. */
  left: string | null
  /** The changes made by the promise in its newest run, if known. */
  byPromise: Changed | null
  /** The name of a checkpoint that was asked for and is not taken yet. */
  wanted: string | null
  /** A rollback that was asked for and is not done yet. */
  rollback: EventOf<'rollback.requested'>['data'] | null
  rollbacks: number
  /** The name of the checkpoint of the tree before the last rollback. */
  lastKept: string | null
  /** The identity of the work tree's directory, as first seen or as last accepted by a person; null: unknown. */
  place: TreePlace | null
  /** The newest comparison with the tree that the promise left; null: a person may have changed the tree since. */
  compared: TreeComparison | null
  /** The target of a rollback since the promise last ran, unless that is the tree in which it ran. */
  restoredTo: string | null
}

export const treePart = part(
  (): TreePart => ({
    checkpoints: null,
    changes: null,
    paths: [],
    touched: [],
    touchedByPromise: [],
    reference: null,
    steeringSum: null,
    left: null,
    byPromise: null,
    wanted: null,
    rollback: null,
    rollbacks: 0,
    lastKept: null,
    place: null,
    compared: null,
    restoredTo: null,
  }),
  {
    'checkpoint.requested': (_, { data }) => ({ wanted: data.name }),
    'checkpoint.failed': () => ({ wanted: null }),
    'checkpoint.taken': (tree, { data, epoch }, before) => {
      const purpose = purposeOf(before, data.name)
      const same = purpose === 'reference' && !isAboutAnotherTree(before, data.tree)
      return {
        checkpoints: { name: data.name, tree: data.tree, earlier: tree.checkpoints },
        place: tree.place ?? data.place ?? null,
        steeringSum: data.steering ?? tree.steeringSum,
        ...taken(tree, data, purpose),
        ...(purpose === 'reference' && { compared: { epoch, same } }),
      }
    },
    'tree.compared': (_, { data, epoch }) => ({ compared: { epoch, same: data.changes?.files === 0 } }),
    'look.taken': ({ compared }) => compared && { compared: { ...compared, looked: true } },
    'run.started': () => ({ touched: [], restoredTo: null }),
    'promise.verified': (_, { epoch }) => ({ restoredTo: null, compared: { epoch, same: true } }),
    'session.claimed': (_, __, { work }) => (work.stage === 'saved' ? { touched: [] } : null),
    // A person who answers may have worked in the tree meanwhile. One who sends a suspect result back accepts nothing.
    'question.answered': (_, { data }) =>
      data.suspect && !data.met
        ? { left: null, compared: null }
        : { reference: null, left: null, compared: null },
    'loop.resumed': accepted,
    'rollback.requested': ({ rollbacks }, { data }) => ({ rollback: data, rollbacks: rollbacks + 1 }),
    'rollback.failed': () => ({ rollback: null }),
    'tree.restored': (tree, { data }, { turn, judged }) => ({
      rollback: null,
      restoredTo: isJudgedTree(tree, judged.results) ? null : data.to,
      left: null,
      compared: null,
      byPromise: null,
      touched: [],
      touchedByPromise: [],
      ...(turn.outcome?.kind !== 'completed' && { changes: null }),
    }),
  } satisfies On<TreePart>,
)

/** Tells whether the tree being restored is the one in which the promise last ran. */
function isJudgedTree({ rollback, checkpoints }: TreePart, results: readonly CriterionResult[]): boolean {
  const name = results[0]?.checkpoint
  return Boolean(rollback && name && treeOf(checkpoints, name) === rollback.tree)
}

type Purpose =
  | 'kept' // what a rollback will replace
  | 'wanted' // asked for by a person
  | 'reference' // what protected files are compared with from here on
  | 'verified' // what the promise left
  | 'first' // the tree the loop began with
  | 'iteration' // the tree an iteration begins with
  | 'after' // what the agent left
  | 'none' // not one that belongs to this stage

const beforeBaseline = checkpointName(0)

/** The purpose of a checkpoint with this name, if it is taken in this state. */
export function purposeOf({ tree, work }: State, name: string): Purpose {
  if (name === tree.rollback?.keepAs) return 'kept'
  if (name === tree.wanted) return 'wanted'
  if (name === beforeBaseline || name === acceptedName(work.iteration)) return 'reference'
  if (name === verifiedName(work.iteration)) return 'verified'
  if (work.stage === 'initial') return 'first'
  if (work.stage === 'boundary') return 'iteration'
  return work.stage === 'cleared' || work.stage === 'settled' ? 'after' : 'none'
}

/** A person has changed something since the promise last ran. */
export function isAboutAnotherTree({ tree, work }: State, reference: string | null): boolean {
  return treeOf(tree.checkpoints, verifiedName(work.iteration)) !== reference
}

type TakenCheckpoint = EventOf<'checkpoint.taken'>['data']

function taken(now: TreePart, data: TakenCheckpoint, purpose: Purpose): Partial<TreePart> {
  const reference = now.reference ?? data.tree
  switch (purpose) {
    case 'kept':
      // The person who asked for the rollback means the directory that is there now.
      return { lastKept: data.name, place: data.place ?? now.place }
    case 'wanted':
      return { wanted: null }
    case 'reference':
      return { reference: data.tree, left: data.tree }
    case 'verified':
      return promiseLeft(now, data)
    case 'iteration':
      // Without protected files this is the first look at the tree after the promise.
      return { reference, left: null, byPromise: data.changes ? changedIn(data) : now.byPromise }
    case 'after':
      return { reference, ...agentLeft(data) }
    case 'first':
    case 'none':
      return { reference }
    default:
      return purpose satisfies never
  }
}

function agentLeft(data: TakenCheckpoint): Partial<TreePart> {
  return {
    changes: data.changes,
    paths: data.paths ?? [],
    left: data.tree,
    byPromise: null,
    touched: data.touched ?? [],
    touchedByPromise: [],
  }
}

function promiseLeft(now: TreePart, data: TakenCheckpoint): Partial<TreePart> {
  const touched = data.touched ?? []
  const others = now.left === null ? touched : now.touched
  return {
    left: null,
    byPromise: changedIn(data),
    touched,
    touchedByPromise: touched.filter(path => !others.includes(path)),
  }
}

function changedIn({ changes, paths = [] }: TakenCheckpoint): Changed | null {
  return changes && changes.files > 0 ? { changes, paths } : null
}

/**
 * A person who resumes a resting loop accepts its tree as it is, except for what they were not told: protected
 * files that were changed while the loop stopped for another reason, or by an interrupted promise. A pass that may be
 * steered is accepted by an answer only, so what it is compared with stays.
 */
function accepted(
  { touched }: TreePart,
  { data }: RecordedOf<'loop.resumed'>,
  before: State,
): Partial<TreePart> | null {
  const { turn, work } = before
  if (data.stays || isBeingAdvised(before) || (!turn.hold && !turn.outcome)) return null
  const anywhere = { left: null, place: null, compared: null }
  const told = touched.length === 0 || turn.hold?.reason === 'protected-changed'
  const between = ['baseline', 'initial', 'boundary'].includes(work.stage) && !turn.failedStep
  if (!told || !between) return anywhere
  const untouched = { ...anywhere, touched: [], touchedByPromise: [] }
  return isSteered(before) ? untouched : { ...untouched, reference: null }
}

/**
 * Tells whether protected files are compared; without checkpoints they cannot be, and `start` refuses that
 * combination.
 */
export function guards({ spec }: State): boolean {
  return (spec.protect?.length ?? 0) > 0 && spec.checkpoint !== 'none'
}

/** The newest checkpoint of this name; undefined if there is none, null if nothing was saved. */
export function treeOf(saved: CheckpointList | null, name: string): string | null | undefined {
  for (let at = saved; at; at = at.earlier) if (at.name === name) return at.tree
  return undefined
}

/** Each name once, oldest first. */
export function namesOf(saved: CheckpointList | null): string[] {
  const names: string[] = []
  for (let at = saved; at; at = at.earlier) names.push(at.name)
  return [...new Set(names.toReversed())]
}

const mostNames = 20

/** The newest of the names, and how many there are besides: a message names no more. */
export function newestNames(names: readonly string[]): { has: string[]; older: number } {
  const has = names.slice(-mostNames)
  return { has, older: names.length - has.length }
}
