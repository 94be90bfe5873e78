/**
 * The starting points of the unit tests of groups: a spec, nodes of each kind, and states, all made by the real
 * fold.
 */
import assert from 'node:assert/strict'
import { beginGroup, evolveGroup } from '../../src/core/group/evolve.ts'
import { type GroupKinds, groupMachine } from '../../src/core/group/machine.ts'
import { find, type GroupState, type NodeState } from '../../src/core/group/state.ts'
import { replay } from '../../src/core/machine.ts'
import { inEnvelopes } from '../../src/engine/recorded.ts'
import type { GroupEvent, GroupEventOf, GroupRecorded, NodeEnd } from '../../src/model/group/event.ts'
import type { GroupNode, NodeOf } from '../../src/model/group/node.ts'
import type { BestOf, GroupSpec } from '../../src/model/group/spec.ts'
import { eventVersion } from '../../src/model/version.ts'
import type { Store } from '../../src/store/contract.ts'
import { aResult, aSpec, createdAt, pass } from './given.ts'

export function aGroupSpec(given: Partial<GroupSpec> = {}, bestOf: Partial<BestOf> = {}): GroupSpec {
  return {
    program: 'best-of',
    name: 'add a cart',
    cwd: '/tree',
    budgetUsd: null,
    parallel: null,
    bestOf: { loop: aSpec(), attempts: 2, ...bestOf },
    ...given,
  }
}

/** An event of a group in its envelope. */
export function recordedOf(event: GroupEvent, given: Partial<GroupRecorded> = {}): GroupRecorded {
  const envelope = { v: eventVersion, seq: 1, at: createdAt, loop: 'group1', epoch: 1, cause: null }
  return { ...envelope, ...event, ...given } as GroupRecorded
}

/** The state after more events, each one second after the previous one. */
export function afterEvents(state: GroupState, ...events: GroupEvent[]): GroupState {
  return events.reduce(
    (now, event) => evolveGroup(now, recordedOf(event, { seq: now.seq + 1, at: now.lastAt + 1_000 })),
    state,
  )
}

export function newGroup(given: Partial<GroupSpec> = {}, bestOf: Partial<BestOf> = {}): GroupState {
  return beginGroup(recordedOf({ kind: 'group.created', data: { spec: aGroupSpec(given, bestOf) } }))
}

export const initial: GroupEvent = {
  kind: 'tree.saved',
  data: { name: 'initial', tree: 'tree-0', node: null },
}

/** A group with these nodes, whose tree is saved. */
export function aGroup(nodes: GroupNode[], given: Partial<GroupSpec> = {}, bestOf: Partial<BestOf> = {}) {
  return afterEvents(newGroup(given, bestOf), initial, ...(nodes.length > 0 ? [planned(...nodes)] : []))
}

export function planned(...nodes: GroupNode[]): GroupEvent {
  return { kind: 'nodes.planned', data: { nodes } }
}

export function anAttempt(id: string, given: Partial<NodeOf<'loop'>> = {}): NodeOf<'loop'> {
  return { kind: 'loop', id, needs: [], spec: aSpec(), place: 'copy', base: 'initial', ...given }
}

export function aMeasure(id: string, of: string, given: Partial<NodeOf<'command'>> = {}): NodeOf<'command'> {
  const name = (id.split('/')[0] ?? '') as NonNullable<NodeOf<'command'>['measure']>['name']
  const measure = { name, better: 'less' } as const
  const what = { command: 'wc -c', purpose: 'measure', timeoutMs: 1_000 } as const
  return { kind: 'command', id, needs: [of], of, ...what, measure, ...given }
}

export function aHook(id: string, given: Partial<NodeOf<'command'>> = {}): NodeOf<'command'> {
  const what = { command: 'notify', purpose: 'hook', timeoutMs: 1_000 } as const
  return { kind: 'command', id, needs: [], of: null, ...what, ...given }
}

export function aGate(id: string, given: Partial<NodeOf<'gate'>> = {}): NodeOf<'gate'> {
  return { kind: 'gate', id, needs: [], question: 'Which one?', choices: [], ...given }
}

export function aChoice(among: string[], given: Partial<NodeOf<'choose'>> = {}): NodeOf<'choose'> {
  return { kind: 'choose', id: 'choose', needs: among, among, by: null, ...given }
}

export function anApply(from: string, given: Partial<NodeOf<'apply'>> = {}): NodeOf<'apply'> {
  return { kind: 'apply', id: 'apply', needs: [], from, ...given }
}

export function begun(node: string, member: string | null = null, attempt = 1): GroupEvent {
  return { kind: 'node.started', data: { node, attempt, member } }
}

export function copied(node: string, attempt = 1): GroupEvent {
  const data = {
    node,
    attempt,
    path: `/copies/${node}`,
    base: 'tree-0',
    how: 'copy',
    durationMs: 5,
    mounts: null,
  }
  return { kind: 'copy.made', data }
}

/** A member that is at work in its copy; its id is `m-` and the node. */
export function atWork(node: string): GroupEvent[] {
  return [begun(node, `m-${node}`), copied(node)]
}

export function over(node: string, given: Partial<NodeEnd> = {}): GroupEvent {
  return { kind: 'node.ended', data: { node, attempt: 1, how: 'completed', ...given } }
}

/** An attempt from its beginning to its end. */
export function attempted(node: string, given: Partial<NodeEnd> = {}): GroupEvent[] {
  return [...atWork(node), over(node, { tree: `tree-of-${node}`, ...given })]
}

export function rests(node: string, reason = 'paused-by-user'): GroupEvent {
  return { kind: 'node.rested', data: { node, attempt: 1, status: 'paused', reason } }
}

export function held(reason: GroupEventOf<'group.held'>['data']['reason'] = 'paused-by-user'): GroupEvent {
  return { kind: 'group.held', data: { reason } }
}

export const cancelled: GroupEvent = { kind: 'cancel.requested', data: {} }

export function failed(reason: GroupEventOf<'group.failed'>['data']['reason'], why = ''): GroupEvent {
  return { kind: 'group.failed', data: { reason, why } }
}

export function broken(node?: string): GroupEvent {
  return { kind: 'step.failed', data: { step: 'copy', why: 'disk full', ...(node && { node }) } }
}

export function dropped(node: string): GroupEvent {
  return { kind: 'node.dropped', data: { node, why: 'another was first' } }
}

/** The stages of applying a result to the tree, in order. */
export const applyStages: GroupEvent[] = [
  begun('apply'),
  { kind: 'tree.saved', data: { name: 'before-apply-1', tree: 'tree-1', node: 'apply' } },
  { kind: 'tree.merged', data: { node: 'apply', tree: 'tree-2', conflicts: [] } },
  { kind: 'tree.applied', data: { node: 'apply', written: 1, deleted: 0 } },
]

export const conflicted: GroupEvent = {
  kind: 'tree.merged',
  data: { node: 'apply', tree: null, conflicts: ['src/cart.ts'] },
}

export function checked(isGreen: boolean): GroupEvent {
  return { kind: 'tree.checked', data: { node: 'apply', results: [aResult(isGreen ? pass : {})] } }
}

export const unapplied: GroupEvent = { kind: 'tree.unapplied', data: { node: 'apply' } }

export function nodeIn(state: GroupState, id: string): NodeState {
  const one = find(state, id)
  if (!one) throw new Error(`The group has no node ${id}`)
  return one
}

/** The first events of a group whose attempts are at work, by their names and members. */
export function attemptsBegun(members: Record<string, string>): GroupEvent[] {
  const nodes = Object.keys(members).map(id => anAttempt(id))
  return [initial, planned(...nodes), ...Object.entries(members).map(([node, member]) => begun(node, member))]
}

type Written = { id: string; spec?: Partial<GroupSpec>; events?: GroupEvent[]; at?: number }

/** Writes a group into a store, all its events at once; returns its last state. */
export function writeGroup(store: Store, { id, spec, events = [], at = createdAt }: Written): GroupState {
  const all: GroupEvent[] = [{ kind: 'group.created', data: { spec: aGroupSpec(spec) } }, ...events]
  const of = { after: 0, at, loop: id, epoch: 1, cause: null }
  const recorded = inEnvelopes<GroupKinds>(groupMachine, all, of)
  const state = replay<GroupKinds>(groupMachine, recorded)
  const summary = groupMachine.summarize(state)
  const created = { events: recorded, summary, host: 'nobody', evenIfTreeBusy: true }
  assert.ok(store.journals.create(created).ok)
  return state
}
