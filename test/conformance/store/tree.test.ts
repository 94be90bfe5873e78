/**
 * The tree rule: one journal holds a tree, and every other journal is refused; a group and its members share theirs.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { creation } from '../../../src/core/loop/assess/assess.ts'
import { type LoopKinds, loopMachine } from '../../../src/core/loop/machine.ts'
import type { State } from '../../../src/core/loop/state.ts'
import { summarize } from '../../../src/core/loop/summary.ts'
import { inEnvelopes } from '../../../src/engine/recorded.ts'
import type { Event } from '../../../src/model/loop/event.ts'
import type { Appended, FirstEntry, Store } from '../../../src/store/contract.ts'
import { openStore } from '../../../src/store/sqlite/open.ts'
import { after, aSpec, cancelled, completed, created, held, nextEntry, tempStore } from '../../rig/given.ts'

type Wish = { id: string; cwd?: string; group?: string; events?: Event[] }

const queued: Event = { kind: 'loop.queued', data: { priority: 'normal' } }
const dequeued: Event = { kind: 'loop.dequeued', data: {} }
const resumed: Event = { kind: 'loop.resumed', data: {} }

function entryOf({ id, cwd = '/tree', group, events = [] }: Wish): { first: FirstEntry; state: State } {
  const state = after({ ...created({ cwd }), id }, ...events)
  const all: Event[] = [creation(aSpec({ cwd })), ...events]
  const recorded = inEnvelopes<LoopKinds>(loopMachine, all, {
    after: 0,
    at: state.createdAt,
    loop: id,
    epoch: 1,
    cause: null,
  })
  const summary = { ...summarize(state), group: group ?? null }
  return { first: { events: recorded, summary, host: 'us' }, state }
}

/** Creates a journal; returns the answer as one word. */
function create(store: Store, wish: Wish): string {
  return worded(store.journals.create(entryOf(wish).first))
}

function worded(done: Appended | { ok: false; reason: 'exists' }): string {
  if (done.ok) return 'ok'
  return done.reason === 'exists' ? 'exists' : `${done.reason}: ${done.holder.id}`
}

/** A store in which `aaaaaa` holds /tree. */
function heldStore(t: TestContext): Store {
  const store = tempStore(t)
  assert.equal(create(store, { id: 'aaaaaa' }), 'ok')
  return store
}

test('a tree that is held, one above it and one below it are refused; others are not', t => {
  const store = heldStore(t)
  for (const cwd of ['/tree', '/tree/inner', '/'])
    assert.equal(create(store, { id: 'bbbbbb', cwd }), 'tree-busy: aaaaaa', cwd)
  assert.equal(store.journals.lastSeq('bbbbbb'), 0, 'what is refused is not there')
  assert.equal(store.leases.hostOf('bbbbbb'), null)
  assert.equal(create(store, { id: 'bbbbbb', cwd: '/trees' }), 'ok')
  assert.equal(create(store, { id: 'cccccc', events: [queued] }), 'ok', 'one that waits holds nothing')
})

test('a journal of this id that is there already stays as it is', t => {
  const store = heldStore(t)
  const before = store.journals.read('aaaaaa')
  assert.equal(create(store, { id: 'aaaaaa', cwd: '/other' }), 'exists')
  assert.deepEqual(store.journals.read('aaaaaa'), before)
})

test('a journal that takes the tree later is refused too, until it is free; a refusal writes nothing', t => {
  const store = heldStore(t)
  const takers: [string, Event[], Event][] = [
    ['queued', [queued], dequeued],
    ['paused', [held()], resumed],
  ]
  for (const [id, events, next] of takers) {
    const { first, state } = entryOf({ id, events })
    assert.ok(store.journals.create({ ...first, evenIfTreeBusy: true }).ok)
    store.inbox.send({ id: `to-${id}`, loop: id, at: 1, command: {} })
    const entry = nextEntry(state, next, { cause: `to-${id}` })
    assert.equal(worded(store.journals.append(entry)), 'tree-busy: aaaaaa', id)
    assert.equal(store.journals.lastSeq(id), state.seq)
    assert.equal(store.inbox.pending(id).length, 1, 'the command is still to be answered')
  }
  const { state } = entryOf({ id: 'aaaaaa' })
  assert.ok(store.journals.append(nextEntry(state, completed)).ok)
  const { state: paused } = entryOf({ id: 'paused', events: [held()] })
  assert.ok(store.journals.append(nextEntry(paused, resumed)).ok)
})

test('the holder goes on, and a cancel is recorded though another holds the tree', t => {
  const store = heldStore(t)
  const { first, state } = entryOf({ id: 'bbbbbb', events: [held()] })
  assert.ok(store.journals.create(first).ok)
  const { state: holder } = entryOf({ id: 'aaaaaa' })
  assert.ok(store.journals.append(nextEntry(holder, { kind: 'wait.ended', data: {} })).ok)
  const cancel = nextEntry(state, cancelled)
  assert.equal(worded(store.journals.append(cancel)), 'tree-busy: aaaaaa')
  assert.ok(store.journals.append({ ...cancel, evenIfTreeBusy: true }).ok)
})

test('a group, its member and two members of it share a tree; a stranger and another group do not', t => {
  const store = tempStore(t)
  assert.equal(create(store, { id: 'groupa' }), 'ok')
  assert.equal(create(store, { id: 'member', group: 'groupa' }), 'ok')
  assert.equal(create(store, { id: 'second', group: 'groupa', cwd: '/tree/copy' }), 'ok')
  assert.equal(create(store, { id: 'other1', group: 'groupb' }).split(':')[0], 'tree-busy')
  assert.equal(create(store, { id: 'other2' }).split(':')[0], 'tree-busy')
  assert.equal(store.heads.holder('/tree', { id: 'third1', group: 'groupa' }), null)
  assert.equal(create(store, { id: 'groupb', cwd: '/b' }), 'ok')
  assert.equal(create(store, { id: 'member2', group: 'groupb', cwd: '/b' }), 'ok')
  const read = store.heads.get('member')
  assert.deepEqual(read.ok && [read.value.kind, read.value.group], ['loop', 'groupa'])
})

test('of two connections that both saw a free tree, one gets it', t => {
  const store = tempStore(t)
  const opened = openStore(store.paths)
  assert.ok(opened.ok)
  t.after(() => opened.value.close())
  assert.equal(store.heads.holder('/tree', null), null)
  assert.equal(opened.value.heads.holder('/tree', null), null)
  assert.equal(create(store, { id: 'aaaaaa' }), 'ok')
  assert.equal(create(opened.value, { id: 'bbbbbb' }), 'tree-busy: aaaaaa')
})
