/**
 * The contract of the store, by its public functions: journals, changes, adopted rows, damage, the inbox,
 * announcements.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarize } from '../../../src/core/loop/summary.ts'
import type { Store } from '../../../src/store/contract.ts'
import { becomeHost } from '../../../src/store/sqlite/lock.ts'
import { openStore, openStoreToRead } from '../../../src/store/sqlite/open.ts'
import {
  cancelled,
  completed,
  ended,
  failed,
  nextEntry,
  started,
  story,
  taken,
  tempStore,
  unready,
  writeLoop,
} from '../../rig/given.ts'
import { past, rowsOf, tamper } from './rows.ts'

const seqs = (store: Store, id: string) => {
  const events = store.journals.read(id)
  return events.ok ? events.value.map(({ seq }) => seq) : events.failure.reason
}

test('events are appended after the last one the writer knows, in order, all or none', t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa', events: story })
  const entry = nextEntry(state, [cancelled, { kind: 'loop.cancelled', data: { ship: unready } }])
  const [first, second] = entry.events
  assert.ok(first && second)
  for (const wrong of [
    { ...entry, after: state.seq - 1 },
    { ...entry, events: [second, first] },
    { ...entry, events: [first, first] },
  ])
    assert.throws(() => store.journals.append(wrong), /Internal error/)
  assert.equal(store.journals.lastSeq('aaaaaa'), state.seq)
  assert.ok(store.journals.append(entry).ok)
  assert.deepEqual(store.journals.readAfter('aaaaaa', state.seq), { ok: true, value: [...entry.events] })
  assert.deepEqual(store.journals.readAfter('aaaaaa', state.seq, 1), { ok: true, value: [first] })
  assert.deepEqual(store.heads.get('aaaaaa'), { ok: true, value: entry.summary })
  assert.throws(() => store.journals.append(entry), /Internal error/, 'nobody appends twice')
})

test('the events of some kinds, from any place on', t => {
  const store = tempStore(t)
  writeLoop(store, { id: 'aaaaaa', events: [taken('initial'), started(1), ended(1), started(2), ended(2)] })
  const runs = (from: number) =>
    store.journals.ofKinds('aaaaaa', ['run.started', 'run.ended'], from).map(({ seq }) => seq)
  assert.deepEqual([runs(0), runs(4), runs(6)], [[3, 4, 5, 6], [5, 6], []])
})

test('changes after a revision: each journal once, in the order of its newest write, for every connection', t => {
  const store = tempStore(t)
  const reader = openStoreToRead(store.paths)
  assert.ok(reader.ok && reader.value)
  const { changes } = reader.value
  t.after(() => reader.value?.close())
  assert.deepEqual([changes.revision(), changes.after(0)], [0, []])
  const one = writeLoop(store, { id: 'aaaaaa', events: story })
  const two = writeLoop(store, { id: 'bbbbbb' })
  const ids = (from: number) => changes.after(from).map(({ id, seq }) => `${id} ${seq}`)
  assert.deepEqual(ids(0), [`aaaaaa ${one.seq}`, 'bbbbbb 1'])
  const seen = changes.revision()
  assert.equal(changes.after(0).at(-1)?.rev, seen)
  assert.deepEqual(ids(seen), [])
  store.journals.append(nextEntry(one, failed))
  assert.deepEqual(ids(seen), [`aaaaaa ${one.seq + 1}`])
  store.journals.append(nextEntry(two, failed))
  assert.deepEqual(ids(0), [`aaaaaa ${one.seq + 1}`, 'bbbbbb 2'], 'no more rows than journals')
  assert.ok(changes.revision() > seen)
})

test('a write is seen at once: by other connections in byOthers, by any connection in byAny', t => {
  const store = tempStore(t)
  const opened = openStore(store.paths)
  assert.ok(opened.ok)
  const other = opened.value
  t.after(() => other.close())
  const look = () => [store.changes.byOthers(), store.changes.byAny()]
  const [others, any] = look()
  writeLoop(store, { id: 'aaaaaa' })
  const [sameOthers, own] = look()
  assert.equal(sameOthers, others)
  assert.notEqual(own, any)
  writeLoop(other, { id: 'bbbbbb' })
  const [moreOthers, more] = look()
  assert.notEqual(moreOthers, others)
  assert.notEqual(more, own)
})

test('rows from elsewhere are adopted if they continue the journal here, with their summary and epoch', t => {
  const [from, to] = [tempStore(t), tempStore(t)]
  const state = writeLoop(from, { id: 'aaaaaa', events: story, epoch: 5 })
  const rows = rowsOf(from, 'aaaaaa')
  const half = Math.floor(rows.length / 2)
  assert.deepEqual(to.journals.adopt(rows.slice(0, half)), { from: 1, to: half })
  assert.equal(to.journals.adopt(rows.slice(0, half)), null, 'nothing new')
  assert.equal(to.journals.adopt(rows.slice(half + 1)), null, 'a gap')
  assert.deepEqual(to.journals.adopt(rows.slice(half)), { from: half + 1, to: rows.length }, 'the rest alone')
  assert.deepEqual(rowsOf(to, 'aaaaaa'), rows)
  assert.deepEqual(to.heads.get('aaaaaa'), { ok: true, value: summarize(state) })
  const audit = to.heads.audit('aaaaaa')
  assert.ok(audit.ok && audit.value.isTrue)
  const host = becomeHost(to, 'here')
  t.after(() => host.release())
  assert.deepEqual(
    to.leases.take('aaaaaa', host),
    { held: true, epoch: 6 },
    'above every epoch it was written in',
  )
  assert.equal(to.journals.adopt([]), null)
})

test('rows that diverge from the journal here, or were altered, change nothing', t => {
  const [from, to] = [tempStore(t), tempStore(t)]
  writeLoop(from, { id: 'aaaaaa', events: [...story, completed] })
  writeLoop(to, { id: 'aaaaaa', events: story.slice(0, 3), at: 9 })
  const rows = rowsOf(from, 'aaaaaa')
  const before = rowsOf(to, 'aaaaaa')
  assert.equal(to.journals.adopt(rows), null, 'another way')
  const forged = rows.map(row => (row.kind === 'promise.verified' ? { ...row, kind: 'loop.completed' } : row))
  const mixed = rows.map((row, i) => ({ ...row, loop: i === 2 ? 'cccccc' : 'bbbbbb' }))
  assert.equal(to.journals.adopt(forged), null)
  assert.equal(to.journals.adopt(mixed), null)
  assert.deepEqual(rowsOf(to, 'aaaaaa'), before)
  assert.deepEqual(to.journals.ids(), ['aaaaaa'])
})

test('damage stops its own journal and no other; what is readable is still told', t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa', events: [...story, failed] })
  writeLoop(store, { id: 'bbbbbb', events: story, spec: { cwd: '/other' } })
  tamper(store, `update events set data = replace(data, 'FAIL', 'PASS') where loop = 'aaaaaa' and seq = 2`)
  assert.equal(seqs(store, 'aaaaaa'), 'store-damaged')
  assert.deepEqual(store.journals.survey('aaaaaa').bad, [2])
  assert.equal(store.journals.lastSeq('aaaaaa'), state.seq)
  assert.equal(store.heads.audit('aaaaaa').ok, false)
  assert.equal(store.heads.rebuild('aaaaaa').ok, false)
  assert.deepEqual(store.heads.get('aaaaaa'), { ok: true, value: summarize(state) }, 'its row is sound')
  assert.ok(Array.isArray(seqs(store, 'bbbbbb')))
  assert.equal(store.problem(), null)
  const row = store.heads.get('bbbbbb')
  assert.ok(row.ok)
  store.heads.markDamaged(row.value)
  assert.equal(store.heads.status('bbbbbb'), 'crashed')
  assert.equal(store.heads.holder('/other', null), null, 'its tree is free')
})

test('a summary row that is wrong is read from the journal, found by an audit and rebuilt', t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa', events: [...story, failed] })
  const isTrue = () => {
    const audit = store.heads.audit('aaaaaa')
    return audit.ok && audit.value.isTrue
  }
  assert.equal(isTrue(), true)
  tamper(store, `update summary set body = replace(body, '"failed"', '"completed"')`)
  assert.equal(isTrue(), false)
  assert.deepEqual(store.heads.get('aaaaaa'), { ok: true, value: summarize(state) })
  assert.ok(store.heads.rebuild('aaaaaa').ok)
  assert.equal(isTrue(), true)
})

test('the inbox takes any JSON and leaves it to the host; what is damaged is null', t => {
  const store = tempStore(t)
  const commands = [{ kind: 'cancel' }, 'what?', 7, { kind: 'from the future', more: [1] }]
  for (const [i, command] of commands.entries())
    store.inbox.send({ id: `c${i}`, loop: 'aaaaaa', at: i, command })
  store.inbox.send({ id: 'other', loop: 'bbbbbb', at: 1, command: {} })
  const pending = () => store.inbox.pending('aaaaaa').map(({ command }) => command)
  assert.deepEqual(pending(), commands)
  assert.deepEqual(store.inbox.waiting().toSorted(), ['aaaaaa', 'bbbbbb'])
  tamper(store, `update inbox set command = 'x{' where id = 'c1'`)
  assert.deepEqual(pending()[1], null)
  assert.deepEqual([store.inbox.withdraw('other'), store.inbox.withdraw('other')], [true, false])
  assert.deepEqual(store.inbox.waiting(), ['aaaaaa'])
})

test('notices: only events after the mark are missed, and the mark never moves back', t => {
  const store = tempStore(t)
  const { seq } = writeLoop(store, { id: 'aaaaaa', events: [...story, failed] })
  writeLoop(store, { id: 'bbbbbb' })
  const missed = () => store.notified.missed(['loop.failed', 'loop.held'])
  assert.deepEqual(missed(), [{ loop: 'aaaaaa', after: 0 }])
  store.notified.mark('aaaaaa', seq - 1)
  assert.deepEqual(missed(), [{ loop: 'aaaaaa', after: seq - 1 }])
  store.notified.mark('aaaaaa', seq)
  store.notified.mark('aaaaaa', 1)
  assert.deepEqual(missed(), [])
})

test('a journal has a kind and a group, from its first event', t => {
  const store = tempStore(t)
  writeLoop(store, { id: 'aaaaaa', events: story })
  past(store, db => {
    const insert = db.prepare(`insert into events values (?, 1, 1, 0, 1, null, ?, ?, '')`)
    insert.run('grp111', 'group.created', '{"spec":{}}')
    insert.run('mem111', 'loop.created', '{"spec":{"group":"grp111"}}')
    insert.run('mem222', 'loop.created', '{"spec":{"group":"grp111"}}')
    const kinds = db.prepare('select * from journals order by id').all()
    assert.deepEqual(
      kinds.map(({ id, kind, group_id }) => [id, kind, group_id]),
      [
        ['aaaaaa', 'loop', null],
        ['grp111', 'group', null],
        ['mem111', 'loop', 'grp111'],
        ['mem222', 'loop', 'grp111'],
      ],
    )
  })
  assert.deepEqual(store.journals.inGroup('grp111'), ['mem111', 'mem222'])
  assert.deepEqual(store.journals.inGroup('aaaaaa'), [])
})
