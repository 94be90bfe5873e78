/** Groups for unit tests: a spec, the events of one whose attempts have begun, and one written into a store. */
import assert from 'node:assert/strict'
import { type GroupKinds, groupMachine } from '../../src/core/group/machine.ts'
import type { GroupState } from '../../src/core/group/state.ts'
import { replay } from '../../src/core/machine.ts'
import { inEnvelopes } from '../../src/engine/recorded.ts'
import type { GroupEvent } from '../../src/model/group/event.ts'
import type { NodeOf } from '../../src/model/group/node.ts'
import type { GroupSpec } from '../../src/model/group/spec.ts'
import type { Store } from '../../src/store/contract.ts'
import { aSpec, createdAt } from './given.ts'

export function aGroupSpec(given: Partial<GroupSpec> = {}): GroupSpec {
  return {
    program: 'best-of',
    name: 'add a cart',
    cwd: '/tree',
    budgetUsd: 25,
    parallel: 4,
    bestOf: { loop: aSpec(), attempts: 2 },
    ...given,
  }
}

export function attempt(id: string): NodeOf<'loop'> {
  return { kind: 'loop', id, needs: [], spec: aSpec(), place: 'copy', base: 'initial', approach: id }
}

/** A group whose attempts have begun, by their names and members. */
export function begun(members: Record<string, string>): GroupEvent[] {
  return [
    { kind: 'tree.saved', data: { name: 'initial', tree: 'tree-of-initial', node: null } },
    { kind: 'nodes.planned', data: { nodes: Object.keys(members).map(attempt) } },
    ...Object.entries(members).map(
      ([node, member]): GroupEvent => ({ kind: 'node.started', data: { node, attempt: 1, member } }),
    ),
  ]
}

export type Group = { id: string; spec?: Partial<GroupSpec>; events?: GroupEvent[]; at?: number }

/** Writes a group into a store, all its events at once; returns its last state. */
export function writeGroup(store: Store, { id, spec, events = [], at: when = createdAt }: Group): GroupState {
  const all: GroupEvent[] = [{ kind: 'group.created', data: { spec: aGroupSpec(spec) } }, ...events]
  const recordedAll = inEnvelopes<GroupKinds>(groupMachine, all, {
    after: 0,
    at: when,
    loop: id,
    epoch: 1,
    cause: null,
  })
  const state = replay<GroupKinds>(groupMachine, recordedAll)
  const summary = groupMachine.summarize(state)
  assert.ok(store.journals.create({ events: recordedAll, summary, host: 'nobody', evenIfTreeBusy: true }).ok)
  return state
}
