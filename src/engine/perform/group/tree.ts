/**
 * What a group does to its tree: saves it, brings the result of a copy into it by a three-way merge, and runs the
 * promise there. In stages that are recorded one by one; each finds what a killed host has left, ours, merged or
 * half-way, and finishes it. Nothing is written before the tree as it was is saved.
 */
import { join } from 'node:path'
import { readExit } from '../../../adapters/process/files.ts'
import { endLeftover, verify } from '../../../adapters/verify.ts'
import type { Checkpoints } from '../../../checkpoints/contract.ts'
import type { GroupStep } from '../../../core/group/decide.ts'
import { appliedNode, type GroupState, isKind, type NodeState } from '../../../core/group/state.ts'
import { floodVerdict, verdictOf } from '../../../core/loop/run/verdict.ts'
import { failingCount } from '../../../core/text/failing/count.ts'
import { ok, type Result } from '../../../model/failure.ts'
import type { GroupEvent } from '../../../model/group/event.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import type { CriterionResult } from '../../../model/loop/event.ts'
import type { Criterion, Spec } from '../../../model/loop/spec.ts'
import { excerpt, settle } from '../../../store/files/artifact.ts'
import { loopDir } from '../../../store/files/paths.ts'
import { readLoop } from '../../host.ts'
import type { World } from '../../world.ts'
import { cleanOf } from '../loop/redaction.ts'
import { copiesOf, fileName } from './copy.ts'
import { unfitFiles } from './picked-files.ts'
import { type GroupTask, nodeFailed, nodeOf } from './steps.ts'

type Of<K extends GroupStep['kind']> = Extract<GroupStep, { kind: K }>

function treeOf({ checkpoints }: World, { spec: { cwd } }: GroupState): Checkpoints {
  return checkpoints({ cwd, checkpoint: 'git' })
}

export async function save(
  { name, node }: Of<'save'>,
  { world, state, signal }: GroupTask,
): Promise<GroupEvent[]> {
  const pending = treeOf(world, state).take({ loop: state.id, name: fileName(name), since: null, signal })
  world.fault('save')
  const taken = await pending
  if (signal.aborted) return []
  if (!taken.ok) return [nodeFailed(`checkpoint ${name}`, taken.failure.message)]
  const { tree } = taken.value
  if (tree === null) throw new Error('Internal error: a git checkpoint has an id')
  return [{ kind: 'tree.saved', data: { name, tree, node } }]
}

/** What the copy has changed since its base, and what became of the tree meanwhile. */
export async function mergeCopy(step: Of<'merge'>, { world, state }: GroupTask): Promise<GroupEvent[]> {
  const { source, applying } = sourceOf(state, step.node)
  const { copy, end } = source
  if (!copy || !end?.tree || applying.saved === null) {
    return [nodeFailed(`apply of ${source.node.id}`, 'its result is not there any more')]
  }
  const request = { base: replaced(state) ?? copy.base, ours: applying.saved, theirs: end.tree }
  const files = filesOf(state, step.node)
  const copies = copiesOf(world, state)
  if (files) {
    const refused = await unfitFiles(files, { ...request, from: copy.base }, copies)
    if (!refused.ok) return [nodeFailed(`merge of ${source.node.id}`, refused.failure.message)]
    const { unknown, conflicts } = refused.value
    if (unknown.length > 0) {
      const why = `${source.node.id} has not changed ${unknown.join(', ')}`
      return [{ kind: 'node.ended', data: { node: step.node, attempt: step.attempt, how: 'failed', why } }]
    }
    if (conflicts.length > 0)
      return [{ kind: 'tree.merged', data: { node: step.node, tree: null, conflicts } }]
    const taken = await copies.tree.withFiles({ into: request.ours, from: request.theirs, files })
    if (!taken.ok) return [nodeFailed(`merge of ${source.node.id}`, taken.failure.message)]
    return [{ kind: 'tree.merged', data: { node: step.node, tree: taken.value, conflicts: [] } }]
  }
  const merged = await copies.merge(request)
  if (!merged.ok) return [nodeFailed(`merge of ${source.node.id}`, merged.failure.message)]
  const { id, conflicts } = merged.value
  return [{ kind: 'tree.merged', data: { node: step.node, tree: id, conflicts } }]
}

/** An attempt that is picked takes the place of the one that is in the tree; what a person changed since stays. */
function replaced({ spec, inTree, nodes }: GroupState): string | null {
  if (spec.program !== 'best-of' || inTree === null) return null
  return nodes.find(({ node }) => node.id === inTree)?.end?.tree ?? null
}

/** Where somebody has changed the tree since it was saved, it is saved and merged again. */
export async function writeTree(step: Of<'write'>, task: GroupTask): Promise<GroupEvent[]> {
  const { world, state, signal } = task
  const { applying } = nodeOf(state, step.node)
  const { saved, merged } = applying
  if (saved === null || !merged?.tree) throw new Error('Internal error: nothing to write')
  const checkpoints = treeOf(world, state)
  const found = await editsSince({ saved, merged: merged.tree }, task)
  if (signal.aborted) return []
  if (!found.ok) return [nodeFailed(`apply of ${step.node}`, found.failure.message)]
  if (found.value.edited.length > 0) return saveAgain(step, task, { saved, ...found.value })
  const request = { loop: state.id, tree: merged.tree, keepAs: `${fileName(step.node)}-half`, signal }
  const pending = checkpoints.restore(request)
  world.fault('write')
  const restored = await pending
  if (!restored.ok)
    return signal.aborted ? [] : [nodeFailed(`apply of ${step.node}`, restored.failure.message)]
  const { written, deleted, left } = restored.value
  const data = { node: step.node, written, deleted, ...(left.length > 0 && { left }) }
  return [{ kind: 'tree.applied', data }]
}

/** `edited`: by somebody else. `isHalfWay`: a host that was killed has begun to write. */
type Edits = { edited: string[]; isHalfWay: boolean }

/**
 * A file that is neither as it was saved nor as it was merged was changed by somebody else, unless it is one that a
 * host which was killed had begun to write.
 */
async function editsSince(
  { saved, merged }: { saved: string; merged: string },
  { world, state, signal }: GroupTask,
): Promise<Result<Edits>> {
  const checkpoints = treeOf(world, state)
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

/** As it was, with what somebody has changed since. */
async function withEdits(
  name: string,
  { saved, edited: files }: { saved: string; edited: string[] },
  { world, state, signal }: GroupTask,
): Promise<Result<string>> {
  const now = await treeOf(world, state).take({ loop: state.id, name, since: null, signal })
  if (!now.ok) return now
  if (now.value.tree === null) throw new Error('Internal error: a git checkpoint has an id')
  return copiesOf(world, state).tree.withFiles({ into: saved, from: now.value.tree, files })
}

/** Where it is half-way already, that is taken back: the result may not fit any more. */
async function saveAgain(
  { node, attempt }: Of<'write'>,
  task: GroupTask,
  found: Edits & { saved: string },
): Promise<GroupEvent[]> {
  const name = `before-${node}-${attempt}`
  if (!found.isHalfWay) return save({ kind: 'save', name, node }, task)
  const tree = await takenBack(fileName(node), found, task)
  if (!tree.ok) return task.signal.aborted ? [] : [nodeFailed(`checkpoint ${name}`, tree.failure.message)]
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
  const restored = await treeOf(world, state).restore(request)
  return restored.ok ? before : restored
}

/** The promise of the loop whose result it is, in the tree itself. */
export async function check(step: Of<'check'>, task: GroupTask): Promise<GroupEvent[]> {
  const { state } = task
  const { source } = sourceOf(state, step.node)
  if (!isKind(source, 'loop')) throw new Error('Internal error: what is applied is not of a loop')
  const results: CriterionResult[] = []
  if (filesOf(state, step.node)) return [{ kind: 'tree.checked', data: { node: step.node, results } }]
  const spec = specOf(source, task)
  for (const [index, criterion] of spec.criteria.entries()) {
    if (criterion.command === null) continue
    const dir = verifyDir(step, index)
    const result = await judge({ ...criterion, command: criterion.command, dir }, spec, task)
    if (result === null) return []
    if (!result.ok) return [nodeFailed(`promise after ${step.node}`, result.failure.message)]
    results.push(result.value)
  }
  return [{ kind: 'tree.checked', data: { node: step.node, results } }]
}

/** As it was in its member, with the values that it was given. */
function specOf({ node, member }: NodeState & { node: NodeOf<'loop'> }, { world }: GroupTask): Spec {
  const loop = member === null ? null : readLoop(world, member)
  return loop?.ok ? loop.value.spec : node.spec
}

function verifyDir({ node, attempt }: Pick<Of<'check'>, 'node' | 'attempt'>, index: number): string {
  return join('verify', `${fileName(node)}-${attempt}-${index}`)
}

/** A promise that the last host has left running would work in a tree that changes under it. */
async function endPromise(step: Of<'undo'>, { world, state }: GroupTask): Promise<void> {
  const { source } = sourceOf(state, step.node)
  const criteria = isKind(source, 'loop') ? source.node.spec.criteria : []
  for (const index of criteria.keys()) {
    const dir = verifyDir(step, index)
    const place = { dir: join(loopDir(world.store.paths, state.id), dir), marker: `${state.id}/${dir}` }
    // What it printed stays where it has ended: that is why the tree is taken back.
    if (!readExit(place.dir)) await endLeftover({ ...place, cwd: state.spec.cwd }, world.here)
  }
}

type Question = Pick<Criterion, 'name'> & { command: string; dir: string }

/** Null when aborted. */
async function judge(
  { name, command, dir }: Question,
  spec: Spec,
  { world, state, signal }: GroupTask,
): Promise<Result<CriterionResult> | null> {
  const root = loopDir(world.store.paths, state.id)
  const { verifyTimeoutMs: timeoutMs, graceMs, maxOutputBytes, env = {} } = spec
  const run = { command, dir: join(root, dir), cwd: state.spec.cwd, env: { ...world.env, ...env } }
  const limits = { timeoutMs, graceMs, maxOutputBytes, marker: `${state.id}/${dir}` }
  const verified = await verify({ ...run, ...limits }, world.here, signal)
  if (verified === null || !verified.ok) return verified
  const { exit, flooded, durationMs } = verified.value
  const clean = cleanOf(world.env)
  const { head, tail, omittedBytes } = excerpt(join(root, dir, 'out'), 100_000)
  return ok({
    name,
    command,
    ...(flooded ? floodVerdict(maxOutputBytes) : verdictOf(exit, timeoutMs)),
    exitCode: exit?.code ?? null,
    durationMs,
    failing: failingCount(omittedBytes > 0 ? `${head}\n${tail}` : head),
    output: settle(root, join(dir, 'out'), clean),
  })
}

/** The tree as it was before the result came into it; a file that somebody has changed since stays as they left it. */
export async function undo(step: Of<'undo'>, task: GroupTask): Promise<GroupEvent[]> {
  const { world, state, signal } = task
  const { saved, merged } = nodeOf(state, step.node).applying
  if (saved === null || !merged?.tree)
    throw new Error('Internal error: nothing was saved before it was applied')
  await endPromise(step, task)
  const keepAs = `${fileName(step.node)}-failed`
  const target = await withoutResult(`${keepAs}-edited`, { saved, merged: merged.tree }, task)
  if (!target.ok) return signal.aborted ? [] : [nodeFailed(`undo of ${step.node}`, target.failure.message)]
  const restored = await treeOf(world, state).restore({ loop: state.id, tree: target.value, keepAs, signal })
  if (!restored.ok)
    return signal.aborted ? [] : [nodeFailed(`undo of ${step.node}`, restored.failure.message)]
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
  // What a half-way state was is kept too, under another name: keepAs is what the person had.
  const request = { loop: state.id, tree, keepAs: `${keepAs}-half`, signal }
  const pending = treeOf(world, state).restore(request)
  world.fault('restore')
  const restored = await pending
  if (!restored.ok) return signal.aborted ? [] : [nodeFailed(`rollback to ${to}`, restored.failure.message)]
  const { written, deleted } = restored.value
  return [{ kind: 'tree.restored', data: { to, written, deleted } }]
}

type Source = { source: NodeState; applying: NodeState['applying'] }

function sourceOf(state: GroupState, node: string): Source {
  const apply = nodeOf(state, node)
  if (!isKind(apply, 'apply')) throw new Error(`Internal error: ${node} is no apply`)
  const source = appliedNode(state, apply.node)
  if (!source) throw new Error(`Internal error: nothing was chosen for ${node}`)
  return { source, applying: apply.applying }
}

function filesOf(state: GroupState, node: string): string[] | null {
  const apply = nodeOf(state, node)
  return isKind(apply, 'apply') ? (apply.node.files ?? null) : null
}
