/**
 * The effects of a group on its tree: saves it, merges the result of a copy into it (three-way), and runs the
 * promise there. The stages are recorded one by one; each recognises what a killed host left (the old tree, the
 * merged tree, or a partial write) and completes it. Nothing is written before the current tree is saved.
 *
 * What an apply brings: whose result it is, the checks that must hold in the tree in addition to its promise, and the
 * files that a person has picked, with those of them that cannot be applied.
 */
import { join } from 'node:path'
import { readExit } from '../../../adapters/process/files.ts'
import { endLeftover } from '../../../adapters/verify.ts'
import type { WorkCopies } from '../../../adapters/workcopies/contract.ts'
import type { Merged } from '../../../checkpoints/contract.ts'
import type { GroupStep } from '../../../core/group/decide.ts'
import {
  appliedNode,
  checkpointOf,
  type GroupState,
  isKind,
  type NodeState,
} from '../../../core/group/state.ts'
import type { Facts } from '../../../failures/all.ts'
import { allOf, ok, type Result } from '../../../model/failure.ts'
import type { GroupEvent } from '../../../model/group/event.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import type { ConflictWay } from '../../../model/group/words.ts'
import type { CriterionResult } from '../../../model/loop/event.ts'
import type { Spec } from '../../../model/loop/spec.ts'
import { loopDir } from '../../../store/files/paths.ts'
import { goneOfGroup } from '../../garbage/discarded.ts'
import { readState } from '../../machine.ts'
import { inWords } from '../../recorded.ts'
import { judgeCriterion } from '../criterion.ts'
import { copiesOf, fileName } from './copy.ts'
import { type GroupTask, nodeFailed, nodeOf } from './steps.ts'
import { groupCheckpoints, treeLeft } from './verified-tree.ts'

type Of<K extends GroupStep['kind']> = Extract<GroupStep, { kind: K }>

export async function save(
  { name, node }: Of<'save'>,
  { world, state, signal }: GroupTask,
): Promise<GroupEvent[]> {
  const pending = groupCheckpoints(world, state).take({
    loop: state.id,
    name: fileName(name),
    since: null,
    isNew: checkpointOf(state, name) === null,
    signal,
  })
  world.fault('save')
  const taken = await pending
  if (signal.aborted) return []
  if (!taken.ok) return [nodeFailed(`checkpoint ${name}`, taken.failure.facts)]
  const { tree } = taken.value
  if (tree === null) throw new Error('Internal error: a git checkpoint has an id')
  return [{ kind: 'tree.saved', data: { name, tree, node } }]
}

/** Merges the changes of the copy since its base with those of the tree meanwhile. */
export async function mergeCopy(step: Of<'merge'>, task: GroupTask): Promise<GroupEvent[]> {
  const { world, state } = task
  const { source, applying, isThere } = appliedFrom(state, step.node)
  const { copy, end } = source
  if (!copy || !end?.tree || applying.saved === null) {
    return [nodeFailed(`apply of ${source.node.id}`, { kind: 'result-lost' })]
  }
  const base = isThere ? end.tree : (replaced(state) ?? copy.base)
  const request = { base, ours: applying.saved, theirs: end.tree }
  const files = pickedFilesOf(state, step.node)
  const copies = copiesOf(world, state)
  if (files) return mergeFiles(step, { ...request, from: copy.base, files }, task)
  const merged = await copies.merge(request)
  if (!merged.ok) return unmerged(step, { request, because: merged.failure.facts }, task)
  const way = conflictWayOf(state, step.node)
  const came = await resolved(way, { request, merged: merged.value }, copies)
  if (!came.ok) return unmerged(step, { request, because: came.failure.facts }, task)
  return [{ kind: 'tree.merged', data: { node: step.node, ...came.value } }]
}

type Merge = { base: string; ours: string; theirs: string }

/** Merges only these files of the result. */
async function mergeFiles(
  step: Of<'merge'>,
  { files, from, ...request }: Merge & { files: string[]; from: string },
  task: GroupTask,
): Promise<GroupEvent[]> {
  const { world, state } = task
  const copies = copiesOf(world, state)
  const refused = await unfitFiles(files, { ...request, from }, copies)
  if (!refused.ok) return unmerged(step, { request, because: refused.failure.facts }, task)
  const { unknown, conflicts } = refused.value
  if (unknown.length > 0) {
    const { source } = appliedFrom(state, step.node)
    return [failedApply(step, { kind: 'files-unchanged', node: source.node.id, files: unknown })]
  }
  const isTaken = conflictWayOf(state, step.node) === 'theirs'
  if (conflicts.length > 0 && !isTaken)
    return [{ kind: 'tree.merged', data: { node: step.node, tree: null, conflicts } }]
  const taken = await copies.tree.withFiles({ into: request.ours, from: request.theirs, files })
  if (!taken.ok) return unmerged(step, { request, because: taken.failure.facts }, task)
  return [{ kind: 'tree.merged', data: { node: step.node, tree: taken.value, conflicts: [] } }]
}

/** If the result was removed meanwhile, a retry cannot help: the apply is over. */
async function unmerged(
  step: Of<'merge'>,
  { request: { base, theirs }, because }: { request: Merge; because: Facts },
  { world, state }: GroupTask,
): Promise<GroupEvent[]> {
  const { id } = appliedFrom(state, step.node).source.node
  const needed = [base, theirs].map(tree => ({ name: id, tree }))
  const there = await goneOfGroup(world.store.paths, { id: state.id, cwd: state.spec.cwd }, needed)
  return [there.ok ? nodeFailed(`merge of ${id}`, because) : failedApply(step, there.failure.facts)]
}

function failedApply({ node, attempt }: Of<'merge'>, facts: Facts): GroupEvent {
  return { kind: 'node.ended', data: { node, attempt, how: 'failed', ...inWords(facts) } }
}

/** A picked attempt replaces the one in the tree; a person's later changes stay. */
function replaced({ spec, inTree, nodes }: GroupState): string | null {
  if (spec.program !== 'best-of' || inTree === null) return null
  return nodes.find(({ node }) => node.id === inTree)?.end?.tree ?? null
}

/** If somebody changed the tree after it was saved, it is saved and merged again. */
export async function writeTree(step: Of<'write'>, task: GroupTask): Promise<GroupEvent[]> {
  const { world, state, signal } = task
  const { applying } = nodeOf(state, step.node)
  const { saved, merged } = applying
  if (saved === null || !merged?.tree) throw new Error('Internal error: nothing to write')
  const checkpoints = groupCheckpoints(world, state)
  const found = await editsSince({ saved, merged: merged.tree }, task)
  if (signal.aborted) return []
  if (!found.ok) return [nodeFailed(`apply of ${step.node}`, found.failure.facts)]
  if (found.value.edited.length > 0) return saveAgain(step, task, { saved, ...found.value })
  const request = { loop: state.id, tree: merged.tree, keepAs: `${fileName(step.node)}-half`, signal }
  const pending = checkpoints.restore(request)
  world.fault('write')
  const restored = await pending
  if (!restored.ok) return signal.aborted ? [] : [nodeFailed(`apply of ${step.node}`, restored.failure.facts)]
  const { written, deleted, left } = restored.value
  const data = { node: step.node, written, deleted, ...(left.length > 0 && { left }) }
  return [{ kind: 'tree.applied', data }]
}

/** `edited`: paths changed by somebody else. `isHalfWay`: a killed host had started to write. */
type Edits = { edited: string[]; isHalfWay: boolean }

/**
 * A file that is neither in its saved nor in its merged state was changed by somebody else, unless a killed host had
 * started to write it.
 */
async function editsSince(
  { saved, merged }: { saved: string; merged: string },
  { world, state, signal }: GroupTask,
): Promise<Result<Edits>> {
  const checkpoints = groupCheckpoints(world, state)
  const moved = await checkpoints.changedSince({ since: saved, signal })
  if (!moved.ok) return moved
  const missing = await checkpoints.changedSince({ since: merged, signal })
  if (!missing.ok) return missing
  const unlike = new Set(missing.value.changed)
  const strange = moved.value.changed.filter(path => unlike.has(path))
  const planned = await checkpoints.changed({ from: saved, to: merged })
  if (!planned.ok) return planned
  const paths = strange.filter(path => planned.value.includes(path))
  const begun = await copiesOf(world, state).tree.begunFiles({ tree: merged, paths })
  if (!begun.ok) return begun
  const edited = strange.filter(path => !begun.value.includes(path))
  return ok({ edited, isHalfWay: edited.length < moved.value.changed.length })
}

/** The saved tree plus the changes made by somebody since. */
async function withEdits(
  name: string,
  { saved, edited: files }: { saved: string; edited: string[] },
  { world, state, signal }: GroupTask,
): Promise<Result<string>> {
  const now = await groupCheckpoints(world, state).take({ loop: state.id, name, since: null, signal })
  if (!now.ok) return now
  if (now.value.tree === null) throw new Error('Internal error: a git checkpoint has an id')
  return copiesOf(world, state).tree.withFiles({ into: saved, from: now.value.tree, files })
}

/** A partial write is undone first: the result may no longer fit. */
async function saveAgain(
  { node, attempt }: Of<'write'>,
  task: GroupTask,
  found: Edits & { saved: string },
): Promise<GroupEvent[]> {
  const name = `before-${node}-${attempt}`
  if (!found.isHalfWay) return save({ kind: 'save', name, node }, task)
  const tree = await takenBack(fileName(node), found, task)
  if (!tree.ok) return task.signal.aborted ? [] : [nodeFailed(`checkpoint ${name}`, tree.failure.facts)]
  return [{ kind: 'tree.saved', data: { name, tree: tree.value, node } }]
}

async function takenBack(
  name: string,
  found: Edits & { saved: string },
  task: GroupTask,
): Promise<Result<string>> {
  const { world, state, signal } = task
  const before = await withEdits(`${name}-edited`, found, task)
  if (!before.ok) return before
  const request = { loop: state.id, tree: before.value, keepAs: `${name}-half`, signal }
  const restored = await groupCheckpoints(world, state).restore(request)
  return restored.ok ? before : restored
}

/** Runs the promise of the result's loop in the tree itself. */
export async function check(step: Of<'check'>, task: GroupTask): Promise<GroupEvent[]> {
  const { world, state, signal } = task
  const { source } = appliedFrom(state, step.node)
  if (!isKind(source, 'loop')) throw new Error('Internal error: what is applied is not of a loop')
  const results: CriterionResult[] = []
  const { merged } = nodeOf(state, step.node).applying
  const isPartial = pickedFilesOf(state, step.node) !== null || (merged?.conflicts.length ?? 0) > 0
  if (isPartial) return [{ kind: 'tree.checked', data: { node: step.node, results } }]
  const spec = specOf(source, task)
  const asked = { id: state.id, spec, cwd: state.spec.cwd, mayDoubt: false }
  for (const [index, { name, command }] of [...spec.criteria, ...checksBesides(state, step.node)].entries()) {
    if (command === null) continue
    const one = { ...asked, name, command, dir: verifyDir(step, index) }
    const result = await judgeCriterion(one, world, signal)
    if (result === null) return []
    if (!result.ok) return [nodeFailed(`promise after ${step.node}`, result.failure.facts)]
    results.push(result.value)
  }
  const isGreen = results.length > 0 && results.every(({ verdict }) => verdict === 'PASS')
  const left = isGreen ? await treeLeft(step.node, task) : {}
  if (signal.aborted) return []
  return [{ kind: 'tree.checked', data: { node: step.node, results, ...left } }]
}

/** The spec of its member, with the values that it was given. */
function specOf({ node, member }: NodeState & { node: NodeOf<'loop'> }, { world }: GroupTask): Spec {
  const loop = member === null ? null : readState(world.store, member, 'loop')
  return loop?.ok ? loop.value.spec : node.spec
}

function verifyDir({ node, attempt }: Pick<Of<'check'>, 'node' | 'attempt'>, index: number): string {
  return join('verify', `${fileName(node)}-${attempt}-${index}`)
}

/** A promise left running by the last host would otherwise run in a tree that changes under it. */
async function endPromise(step: Of<'undo'>, { world, state }: GroupTask): Promise<void> {
  const { source } = appliedFrom(state, step.node)
  const criteria = isKind(source, 'loop') ? source.node.spec.criteria : []
  for (const index of [...criteria, ...checksBesides(state, step.node)].keys()) {
    const dir = verifyDir(step, index)
    const place = { dir: join(loopDir(world.store.paths, state.id), dir), marker: `${state.id}/${dir}` }
    // Only unfinished checks are ended. The output of a finished one stays: it explains why the apply is undone.
    if (!readExit(place.dir)) await endLeftover({ ...place, cwd: state.spec.cwd }, world.here)
  }
}

/** Restores the tree from before the apply; a file that somebody has changed since stays as it is. */
export async function undo(step: Of<'undo'>, task: GroupTask): Promise<GroupEvent[]> {
  const { world, state, signal } = task
  const { saved, merged } = nodeOf(state, step.node).applying
  if (saved === null || !merged?.tree)
    throw new Error('Internal error: nothing was saved before it was applied')
  await endPromise(step, task)
  const keepAs = `${fileName(step.node)}-failed`
  const target = await withoutResult(`${keepAs}-edited`, { saved, merged: merged.tree }, task)
  if (!target.ok) return signal.aborted ? [] : [nodeFailed(`undo of ${step.node}`, target.failure.facts)]
  const restored = await groupCheckpoints(world, state).restore({
    loop: state.id,
    tree: target.value,
    keepAs,
    signal,
  })
  if (!restored.ok) return signal.aborted ? [] : [nodeFailed(`undo of ${step.node}`, restored.failure.facts)]
  return [{ kind: 'tree.unapplied', data: { node: step.node } }]
}

async function withoutResult(
  name: string,
  trees: { saved: string; merged: string },
  task: GroupTask,
): Promise<Result<string>> {
  const found = await editsSince(trees, task)
  if (!found.ok) return found
  const { edited } = found.value
  return edited.length === 0 ? ok(trees.saved) : withEdits(name, { ...trees, edited }, task)
}

export async function restore(
  { to, tree, keepAs }: Of<'restore'>,
  { world, state, signal }: GroupTask,
): Promise<GroupEvent[]> {
  // The partial state is kept too, under another name: keepAs is the person's own tree.
  const request = { loop: state.id, tree, keepAs: `${keepAs}-half`, signal }
  const pending = groupCheckpoints(world, state).restore(request)
  world.fault('restore')
  const restored = await pending
  if (!restored.ok) return signal.aborted ? [] : [nodeFailed(`rollback to ${to}`, restored.failure.facts)]
  const { written, deleted } = restored.value
  return [{ kind: 'tree.restored', data: { to, written, deleted } }]
}

/** The additional checks in the tree. */
function checksBesides(state: GroupState, node: string): NonNullable<NodeOf<'apply'>['checks']> {
  const apply = nodeOf(state, node)
  return isKind(apply, 'apply') ? (apply.node.checks ?? []) : []
}

function pickedFilesOf(state: GroupState, node: string): string[] | null {
  const apply = nodeOf(state, node)
  return isKind(apply, 'apply') ? (apply.node.files ?? null) : null
}

function conflictWayOf(state: GroupState, node: string): ConflictWay | null {
  const apply = nodeOf(state, node)
  return isKind(apply, 'apply') ? (apply.node.resolve ?? null) : null
}

/** `isThere`: the result is in the tree already, and only its promise is run again. */
type Source = { source: NodeState; applying: NodeState['applying']; isThere: boolean }

function appliedFrom(state: GroupState, node: string): Source {
  const apply = nodeOf(state, node)
  if (!isKind(apply, 'apply')) throw new Error(`Internal error: ${node} is no apply`)
  const source = appliedNode(state, apply.node)
  if (!source) throw new Error(`Internal error: nothing was chosen for ${node}`)
  const isThere = apply.reopened.at(-1)?.facts?.kind === 'tree-edited'
  return { source, applying: apply.applying, isThere }
}

type Sides = { base: string; ours: string; theirs: string }
type Came = { tree: string | null; conflicts: string[] }

/** A file that is taken whole can uncover another conflict, such as the files of a directory that it replaces. */
const mostPasses = 5

/**
 * Settles conflicts as you asked: the conflicting files of one side are made those of the other, and the rest is
 * merged. Files that cannot have conflict markers stay a conflict, by name.
 */
async function resolved(
  way: ConflictWay | null,
  { request, merged }: { request: Sides; merged: Merged },
  copies: Pick<WorkCopies, 'tree' | 'merge'>,
): Promise<Result<Came>> {
  const { id, conflicts, marked = null, unmarkable = conflicts } = merged
  if (id !== null || way === null) return ok({ tree: id, conflicts })
  if (way === 'merge') return ok(marked ? { tree: marked, conflicts } : { tree: null, conflicts: unmarkable })
  const [changed, source] = way === 'mine' ? (['theirs', 'ours'] as const) : (['ours', 'theirs'] as const)
  let sides = request
  let left = conflicts
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const alike = await copies.tree.withFiles({ into: sides[changed], from: sides[source], files: left })
    if (!alike.ok) return alike
    sides = { ...sides, [changed]: alike.value }
    const again = await copies.merge(sides)
    if (!again.ok) return again
    if (again.value.id !== null) return ok({ tree: again.value.id, conflicts: [] })
    left = again.value.conflicts
  }
  return ok({ tree: null, conflicts: left })
}

type Trees = { base: string; ours: string; theirs: string; from: string }

/** Files that the attempt did not change, and files that somebody has changed differently since. */
async function unfitFiles(
  files: string[],
  { base, ours, theirs, from }: Trees,
  { tree }: Pick<WorkCopies, 'tree'>,
): Promise<Result<{ unknown: string[]; conflicts: string[] }>> {
  const found = allOf({
    theirs: await tree.changed({ from, to: theirs }),
    mine: await tree.changed({ from: base, to: ours }),
    differ: await tree.changed({ from: ours, to: theirs }),
  })
  if (!found.ok) return found
  const { mine, differ } = found.value
  return ok({
    unknown: files.filter(file => !found.value.theirs.includes(file)),
    conflicts: files.filter(file => mine.includes(file) && differ.includes(file)),
  })
}
