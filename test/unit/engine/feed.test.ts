/**
 * The feed: listeners get every event in order, a write by any connection wakes those that wait, and sources continue
 * where they were.
 */
import assert from 'node:assert/strict'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { outputFrom } from '../../../src/engine/feed/output.ts'
import { changesOf, eventsAfter } from '../../../src/engine/feed/source.ts'
import { feedOf, type Told } from '../../../src/engine/feed.ts'
import type { Event } from '../../../src/model/loop/event.ts'
import type { Store } from '../../../src/store/contract.ts'
import { openStore } from '../../../src/store/sqlite/open.ts'
import {
  cancelled,
  created,
  ended,
  held,
  launched,
  nextEntry,
  recorded,
  started,
  taken,
  tempStore,
  writeLoop,
} from '../../rig/given.ts'
import { until } from '../../rig/rig.ts'

const { signal } = new AbortController()

function told(loop: string, seq: number): Told {
  return { kind: 'loop', event: recorded(held(), { loop, seq }), state: created(), before: null }
}

/** A second connection to the same store, like that of another process. */
function another(t: TestContext, { paths }: Store): Store {
  const opened = openStore(paths)
  assert.ok(opened.ok)
  t.after(() => opened.value.close())
  return opened.value
}

function hasRung(bell: { rung: Promise<null> }): () => boolean {
  let rung = false
  bell.rung.then(() => {
    rung = true
  }, assert.fail)
  return () => rung
}

test('listeners hear events in order; a listener to one journal hears only its own', t => {
  const feed = feedOf(tempStore(t))
  const heard: string[] = []
  const hear = (name: string) => (one: Told) => heard.push(`${name}:${one.event.loop}${one.event.seq}`)
  feed.subscribe({ of: 'loop' }, hear('all'))
  const forget = feed.subscribe<'loop'>('a', hear('one'))
  feed.publish(told('a', 1))
  feed.publish(told('b', 1))
  feed.publish(told('a', 2))
  forget()
  feed.publish(told('a', 3))
  assert.deepEqual(heard, ['all:a1', 'one:a1', 'all:b1', 'all:a2', 'one:a2', 'all:a3'])
})

test('a listener that unsubscribes, or subscribes another, during an event does not affect the others', t => {
  const feed = feedOf(tempStore(t))
  const heard: string[] = []
  const forget = feed.subscribe({ of: 'loop' }, () => {
    forget()
    heard.push('first')
  })
  feed.subscribe({ of: 'loop' }, () => heard.push('second'))
  feed.publish(told('a', 1))
  feed.publish(told('a', 2))
  assert.deepEqual(heard, ['first', 'second', 'second'])
})

test('changed sees what this connection writes, and what another does', async t => {
  const store = tempStore(t)
  const feed = feedOf(store)
  const other = another(t, store)
  const first = feed.version()
  const own = feed.changed(first)
  const state = writeLoop(store, { id: 'aaaaaa' })
  const second = await own
  assert.notEqual(second, first)
  const foreign = feed.changed(second)
  other.inbox.send({ id: 'c', loop: state.id, at: 1, command: {} })
  assert.notEqual(await foreign, second)
})

test('changed ends at the timeout of its caller, and with its signal', async t => {
  const feed = feedOf(tempStore(t))
  const version = feed.version()
  assert.equal(await feed.changed(version, { withinMs: 30 }), version)
  const stop = new AbortController()
  const waiting = feed.changed(version, { signal: stop.signal })
  stop.abort()
  assert.equal(await waiting, version)
})

test('one timer serves all who wait, and there is none while nobody waits', async t => {
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  const feed = feedOf(tempStore(t))
  assert.equal(timers(), before)
  const version = feed.version()
  const bells = Array.from({ length: 50 }, (_, i) => feed.bell(String(i), Number.POSITIVE_INFINITY))
  const many = Array.from({ length: 50 }, () => feed.changed(version, { withinMs: 30 }))
  assert.equal(timers(), before + 1)
  await Promise.all(many)
  assert.equal(timers(), before + 1)
  for (const bell of bells) bell.stop()
  assert.equal(timers(), before)
})

test('the bell of a journal rings for its own inbox only, whichever connection sends', async t => {
  const store = tempStore(t)
  for (const id of ['aaaaaa', 'bbbbbb']) writeLoop(store, { id, spec: { cwd: `/${id}` } })
  const feed = feedOf(store)
  const bells = ['aaaaaa', 'bbbbbb'].map(id => feed.bell(id, Number.POSITIVE_INFINITY))
  const [a, b] = bells.map(hasRung)
  another(t, store).inbox.send({ id: 'c', loop: 'aaaaaa', at: 1, command: {} })
  await until('the bell of the first', () => a?.() ?? false)
  assert.equal(b?.(), false)
  store.inbox.send({ id: 'd', loop: 'bbbbbb', at: 1, command: {} })
  await until('the bell of the second', () => b?.() ?? false)
  for (const bell of bells) bell.stop()
})

test('a bell rings at its time, and when the clock was set back', async t => {
  let now = 1_000
  const feed = feedOf(tempStore(t), { now: () => now })
  const soon = feed.bell('soon', 1_050)
  const late = feed.bell('late', 9_000)
  const [isSoon, isLate] = [hasRung(soon), hasRung(late)]
  now = 1_050
  await until('its time', isSoon)
  soon.stop()
  assert.equal(isLate(), false)
  late.stop()
  // The clock is set forward while nobody waits, and back before the first look of the next waiter.
  now = 5_000
  const again = feed.bell('late', 9_000)
  now = 4_000
  await until('the clock set back', hasRung(again))
  again.stop()
})

test('a store that cannot be read: reported to its host if it has one, else to all who wait', async t => {
  const store = tempStore(t)
  const said: unknown[] = []
  const hosted = feedOf(store, { now: Date.now, broken: error => said.push(error) })
  const alone = feedOf(store)
  const { byOthers } = store.changes
  store.changes.byOthers = () => {
    throw new Error('no disk')
  }
  const kept = hosted.bell('a', Number.POSITIVE_INFINITY)
  const isRung = hasRung(kept)
  await until('two looks that failed', () => said.length >= 2)
  assert.equal(isRung(), false)
  const bell = alone.bell('a', Number.POSITIVE_INFINITY)
  const waiting = alone.changed('')
  await Promise.all([bell.rung, waiting].map(one => assert.rejects(one, /no disk/)))
  bell.stop()
  store.changes.byOthers = byOthers
  hosted.ring('a')
  await until('the bell', isRung)
  kept.stop()
})

test('events come in bounded pieces, from a number on, and go on as they are written', async t => {
  const store = tempStore(t)
  const many = Array.from({ length: 450 }, (): Event => ({ kind: 'context.injected', data: { text: 'x' } }))
  const state = writeLoop(store, { id: 'aaaaaa', events: many })
  const followed = { store, feed: feedOf(store) }
  const seqs = async (source: ReturnType<typeof eventsAfter>) =>
    (await source(signal))?.map(item => ('seq' in item ? item.seq : null)) ?? []
  const source = eventsAfter(followed, 'aaaaaa', 40)
  const sizes: number[] = []
  for (const first of [41, 241, 441]) {
    const batch = await seqs(source)
    assert.equal(batch[0], first)
    sizes.push(batch.length)
  }
  assert.deepEqual(sizes, [200, 200, 11])
  const next = seqs(source)
  another(t, store).journals.append(nextEntry(state, cancelled))
  assert.deepEqual(await next, [452])
  assert.deepEqual(await seqs(eventsAfter(followed, 'aaaaaa', 451)), [452])
})

test('changes name the journals that are open, then each that has changed, and none that has not', async t => {
  const store = tempStore(t)
  const [a] = ['aaaaaa', 'bbbbbb'].map(id => writeLoop(store, { id, spec: { cwd: `/${id}` } }))
  assert.ok(a)
  const source = changesOf({ store, feed: feedOf(store) })
  assert.deepEqual(
    (await source(signal))?.map(ids => ids.toSorted()),
    [['aaaaaa', 'bbbbbb']],
  )
  const next = source(signal)
  store.inbox.send({ id: 'c', loop: 'bbbbbb', at: 1, command: {} })
  store.journals.append(nextEntry(a, cancelled))
  assert.deepEqual(await next, [['aaaaaa']])
})

test('output goes on from a byte; a reader that is far behind gets a gap, then the end', async t => {
  const store = tempStore(t)
  const events = [taken('initial'), taken('iter-001'), started(1), launched(1)]
  const state = writeLoop(store, { id: 'aaaaaa', events })
  const file = join(store.paths.data, 'out')
  const output = { store, feed: feedOf(store), loop: 'aaaaaa', run: 1, file }
  writeFileSync(file, 'one\ntwo\n')
  const source = outputFrom(output, 4)
  assert.deepEqual(await source(signal), [{ kind: 'output', at: 8, bytes: Buffer.from('two\n') }])
  const line = `${'x'.repeat(99)}\n`
  appendFileSync(file, line.repeat(20_000))
  const [gap, piece] = (await source(signal)) ?? []
  assert.ok(gap?.kind === 'gap' && piece?.kind === 'output')
  assert.equal(gap.left, 2_000_000 - 65_536)
  assert.ok(piece.bytes.length <= 65_536 && piece.at === 2_000_008)
  store.journals.append(nextEntry(state, ended(1)))
  assert.deepEqual(await source(signal), [{ kind: 'end', at: 2_000_008 }])
  assert.equal(await source(signal), null)
})
