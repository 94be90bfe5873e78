/**
 * The program `workflow`: the loops of a file, each as soon as the loops that it needs have ended, and hooks at the
 * end. A loop that may run beside another one works in a copy, and its result is applied to the tree afterwards; any
 * other loop works in the tree itself. If two changed the same place, the later one is done again on the result of the
 * earlier one.
 *
 *   x (tree)      x/confirm → x
 *   x (copy)      x/confirm → x → x/apply
 *   x (best of)   x/confirm → x/1… x/n → x/choose → x/apply
 */
import type { Facts } from '../../failures/all.ts'
import type { NodeReason } from '../../failures/node.ts'
import type { GroupNode, NodeOf } from '../../model/group/node.ts'
import type { ShellCommand, WorkflowLoop, WorkflowSpec } from '../../model/group/workflow.ts'
import { find, type GroupState, isKind, isSettled, isWell, type NodeState } from '../group/state.ts'
import { valueIn } from '../group/values.ts'
import { fill, judgeWhen } from '../workflow.ts'
import { approaches, leftBehind } from './best-of.ts'
import type { Growth, Program } from './program.ts'
import { counselFor } from './question.ts'
import { verifiedAgain } from './same-tree.ts'

export const workflow: Program = { grow, judge }

/** The most nodes that one append adds. */
const mostAtOnce = 64
const mostRounds = 3
const hookMs = 300_000

function grow(state: GroupState): Growth {
  return counselFor(state) ?? next(state)
}

function next(state: GroupState): Growth {
  const spec = specOf(state)
  const missing = workflowNodes(spec).filter(({ id }) => !find(state, id))
  if (missing.length > 0) return { plan: missing.slice(0, mostAtOnce) }
  const again = spec.loops.map(loop => doneAgain(state, loop)).find(found => found !== null)
  if (again) return again
  const left = spec.loops.map(loop => leftBehind(attemptsAt(state, loop))).find(found => found !== null)
  if (left) return left
  if (!spec.loops.every(loop => isSettledAt(state, endOf(loop)))) return { wait: true }
  return atEnd(state, spec)
}

function attemptsAt({ nodes }: GroupState, { id, bestOf }: WorkflowLoop): NodeState[] {
  return bestOf === null ? [] : nodes.filter(one => isKind(one, 'loop') && one.node.of === id)
}

/** The nodes of all its loops; those of its hooks are added at the end. */
export function workflowNodes(spec: WorkflowSpec): GroupNode[] {
  return spec.loops.flatMap(loop => nodesOf(spec, loop))
}

function specOf({ spec: { workflow: spec } }: GroupState): WorkflowSpec {
  if (!spec) throw new Error('Internal error: a workflow group without its workflow')
  return spec
}

function isSettledAt(state: GroupState, id: string): boolean {
  const one = find(state, id)
  return one !== undefined && isSettled(one)
}

/** The node after which a loop has ended, whatever its result. */
function endOf({ id, place, bestOf }: Pick<WorkflowLoop, 'id' | 'place' | 'bestOf'>): string {
  return place === 'copy' || bestOf !== null ? `${id}/apply` : id
}

function nodesOf(spec: WorkflowSpec, loop: WorkflowLoop): GroupNode[] {
  const { id, confirm, place, bestOf } = loop
  const before = loop.needs.flatMap(need => spec.loops.filter(one => one.id === need).map(endOf))
  const gate: GroupNode[] = confirm
    ? [{ kind: 'gate', id: `${id}/confirm`, needs: before, question: id, text: confirm, choices: [] }]
    : []
  const needs = confirm ? [...before, `${id}/confirm`] : before
  const apply = (from: string): GroupNode => ({ kind: 'apply', id: `${id}/apply`, needs: [from], from })
  if (bestOf !== null) {
    const attempts = attemptsOf(spec, loop, { needs, bestOf })
    const among = attempts.map(one => one.id)
    const choose: GroupNode = { kind: 'choose', id: `${id}/choose`, needs: among, among, by: null }
    return [...gate, ...attempts, choose, apply(`${id}/choose`)]
  }
  const node = loopNode(spec, loop, { id, needs, place })
  return [...gate, node, ...(place === 'copy' ? [apply(id)] : [])]
}

function attemptsOf(
  spec: WorkflowSpec,
  loop: WorkflowLoop,
  { needs, bestOf }: { needs: string[]; bestOf: number },
): NodeOf<'loop'>[] {
  return Array.from({ length: bestOf }, (_, i) => {
    const { name, words } = approaches[i] ?? { name: String(i + 1), words: '' }
    const node = loopNode(spec, loop, { id: `${loop.id}/${i + 1}-${name}`, needs, place: 'copy' })
    return { ...node, approach: name, prompt: [...loop.prompt, `\n\n${words}`] }
  })
}

type Placed = Pick<NodeOf<'loop'>, 'id' | 'needs' | 'place'>

function loopNode(spec: WorkflowSpec, loop: WorkflowLoop, { id, needs, place }: Placed): NodeOf<'loop'> {
  return {
    kind: 'loop',
    id,
    needs,
    spec: loop.spec,
    place,
    ...(place === 'copy' && { base: 'now' }),
    of: loop.id,
    prompt: loop.prompt,
    variables: loop.env,
    ...(loop.outputs.length > 0 && { outputs: loop.outputs.map(({ name }) => name) }),
    ...(spec.copySetup && place === 'copy' && { copySetup: spec.copySetup }),
    ...(loop.injected.length > 0 && { injected: loop.injected }),
  }
}

type Ending = 'completed' | 'failed' | 'skipped'

/** The ending of a loop of the workflow; asked only after its end. */
function endingOf(state: GroupState, spec: WorkflowSpec, id: string): Ending {
  const loop = spec.loops.find(one => one.id === id)
  const end = loop && find(state, endOf(loop))
  if (loop && end && isWell(end)) return 'completed'
  const own = state.nodes.filter(({ node }) => node.kind === 'loop' && node.of === id)
  return own.length > 0 && own.every(({ stage }) => stage === 'skipped') ? 'skipped' : 'failed'
}

/** Whether a loop's nodes run, by its condition and the endings of its needs. */
function judge(one: NodeState, state: GroupState): ReturnType<NonNullable<Program['judge']>> {
  const spec = specOf(state)
  const id = isKind(one, 'loop')
    ? one.node.of
    : isKind(one, 'gate')
      ? one.node.id.replace(/\/confirm$/, '')
      : null
  const loop = spec.loops.find(candidate => candidate.id === id)
  if (!loop) return undefined
  const valueOf = valueIn(state)
  const judged = judgeWhen(loop, {
    ending: need => endingOf(state, spec, need),
    output: (of, field) => valueOf({ of: 'output', loop: of, field }),
  })
  if (judged.is === 'missing')
    return { fail: { kind: 'output-missing', loop: judged.loop, field: judged.field } }
  if (judged.is === 'skip') {
    const { because } = judged
    return { skip: because ? { kind: 'loop-ended', ...because } : { kind: 'condition-unmet' } }
  }
  const gate = isKind(one, 'loop') ? find(state, `${loop.id}/confirm`) : undefined
  if (gate && !isWell(gate)) return { skip: { kind: 'not-confirmed' } }
  const filled = isKind(one, 'loop') ? fill(one.node.prompt ?? [], valueOf) : { text: '' }
  return 'missing' in filled ? { fail: missingValue(filled.missing) } : null
}

function missingValue({ of, loop = '', field = '' }: { of: string; loop?: string; field?: string }): Facts {
  return of === 'output' ? { kind: 'output-missing', loop, field } : { kind: 'reference-missing', of }
}

/** A failed loop that may be retried, or one whose result conflicts with the tree. */
function doneAgain(state: GroupState, loop: WorkflowLoop): Growth | null {
  for (const one of state.nodes) {
    if (!isKind(one, 'loop') || one.node.of !== loop.id || one.stage !== 'ended') continue
    const { end, attempt } = one
    const isListed = [end?.how, end?.reason].some(word => loop.retry?.on.some(wanted => wanted === word))
    if (isListed && attempt <= (loop.retry?.max ?? 0))
      return { reopen: one.node.id, because: withoutPromise(end?.reason) }
  }
  return unfit(state, loop)
}

function withoutPromise(reason: string | undefined): NodeReason {
  return { kind: 'promise-unmet', ...(reason && { reason }) }
}

function unfit(state: GroupState, loop: WorkflowLoop): Growth | null {
  const apply = find(state, `${loop.id}/apply`)
  const source = find(state, loop.id)
  if (!apply || !source || !isSettled(apply) || isWell(apply)) return null
  if (!isSettled(source)) return { reopen: apply.node.id, because: { kind: 'source-again', node: loop.id } }
  if (apply.stage !== 'ended' || !isWell(source) || roundsOf(apply) >= mostRounds) return null
  const { how, conflicts = [] } = apply.end ?? {}
  const because: NodeReason =
    how === 'conflict'
      ? { kind: 'result-conflicts', others: 'loops', conflicts }
      : { kind: 'result-fails', others: 'loops' }
  return { reopen: source.node.id, because }
}

/** How often its loop was done again; an apply that was only verified again does not count. */
function roundsOf({ reopened }: NodeState): number {
  return reopened.filter(({ facts }) => facts?.kind !== 'tree-edited').length
}

/** Every loop has ended: the hooks for this result, one after the other, then the end itself. */
function atEnd(state: GroupState, spec: WorkflowSpec): Growth {
  const failed = spec.loops.filter(({ id }) => endingOf(state, spec, id) === 'failed')
  const [name, commands] =
    failed.length > 0
      ? (['on_failure', spec.onFailure] as const)
      : (['on_complete', spec.onComplete] as const)
  const hooks = commands.map((command, i) =>
    hookNode(spec, { command, id: `${name}/${i + 1}`, after: i > 0 ? `${name}/${i}` : null }),
  )
  const missing = hooks.filter(({ id }) => !find(state, id))
  // Hooks tell the world: once they are planned, the result is decided.
  const isTold = missing.length < hooks.length
  const verified = failed.length === 0 && !isTold ? lastVerified(state) : null
  if (verified) return verified
  if (missing.length > 0) return { plan: missing }
  if (!hooks.every(({ id }) => isSettledAt(state, id))) return { wait: true }
  if (failed.length === 0) return { end: 'completed' }
  return { end: 'failed', reason: 'node-failed', why: failed.map(({ id }) => id).join(', ') }
}

/** Only of what came into the tree last: an earlier result is the tree that the later ones have worked on. */
function lastVerified(state: GroupState): Growth | null {
  const seqOf = ({ applying, endedSeq }: NodeState) => applying.checked?.seq ?? endedSeq ?? 0
  const inTree = state.nodes.filter(
    one => isWell(one) && (isKind(one, 'apply') || (isKind(one, 'loop') && one.node.place === 'tree')),
  )
  const last = inTree.toSorted((a, b) => seqOf(a) - seqOf(b)).at(-1)
  return last ? verifiedAgain(state, last) : null
}

type Hook = { command: ShellCommand; id: string; after: string | null }

function hookNode({ env }: WorkflowSpec, { command, id, after }: Hook): GroupNode {
  return {
    kind: 'command',
    id,
    needs: after === null ? [] : [after],
    command: command.command,
    purpose: 'hook',
    of: null,
    env,
    variables: command.variables,
    timeoutMs: hookMs,
  }
}
