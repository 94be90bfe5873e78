/** The feed of a tab: everything in one stream, which any client can resume exactly from any frame. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { positionsFrom, resumedAt } from '../../../../src/engine/feed/positions.ts'
import { feedOf } from '../../../../src/engine/feed.ts'
import { failingIn } from '../../../../src/engine/shown/failing.ts'
import { displayOf } from '../../../../src/server/api/display.ts'
import { tabFrames } from '../../../../src/server/api/feed.ts'
import type { Frame } from '../../../../src/server/api/stream.ts'
import type { Store } from '../../../../src/store/contract.ts'
import { loopDir } from '../../../../src/store/files/paths.ts'
import {
  cleared,
  ended,
  held,
  nextEntry,
  started,
  taken,
  tempStore,
  verified,
  writeLoop,
} from '../../../rig/given.ts'

const { signal } = new AbortController()
type Query = Parameters<typeof positionsFrom>[0]

function tab(store: Store, query: Query, lastId: string | null = null) {
  const asked = positionsFrom(query)
  assert.ok(asked)
  const display = displayOf(store.paths, {}, Date.now)
  const following = { store, feed: feedOf(store), now: Date.now }
  const positions = resumedAt(asked, lastId)
  return tabFrames(following, { positions, display, failing: failingIn(store), hello: { version: '1' } })
}

/** Reads frames until there are `most` of them, or the feed ends. */
async function until(source: ReturnType<typeof tab>, most: number): Promise<Frame[]> {
  const frames: Frame[] = []
  while (frames.length < most) {
    const more = await source(signal)
    if (more === null) break
    frames.push(...more)
  }
  return frames
}

const short = ({ event, data }: Frame) => {
  const { id, seq, of } = data as { id?: string; seq?: number; of?: string }
  return [event, id ?? seq ?? of ?? null]
}

test('rows, events and hello come in one stream; cut after any frame, it goes on with the next', async t => {
  const store = tempStore(t)
  const begun = [verified(0, {}), taken('initial'), taken('iter-001')]
  const state = writeLoop(store, { id: 'aaaaaa', events: begun })
  writeLoop(store, { id: 'bbbbbb', events: begun })
  const revision = store.changes.revision()
  const query = { list: String(revision), journals: 'aaaaaa:2,bbbbbb:4' }
  store.journals.append(nextEntry(state, [started(1), ended(1), cleared(1)]))
  const frames = await until(tab(store, query), 7)
  assert.deepEqual(frames.map(short), [
    ['hello', null],
    ['row', 'aaaaaa'],
    ['event', 3],
    ['event', 4],
    ['event', 5],
    ['event', 6],
    ['event', 7],
  ])
  assert.deepEqual(frames[0]?.data, { version: '1', revision })
  for (const [i, { id = '' }] of frames.entries()) {
    if (i === frames.length - 1) break
    const rest = (await until(tab(store, query, id), frames.length - i)).slice(1)
    assert.deepEqual(
      rest.map(({ event, data }) => [event, (data as { seq?: number }).seq]),
      frames.slice(i + 1).map(({ event, data }) => [event, (data as { seq?: number }).seq]),
      `after ${id}`,
    )
    assert.match(id, /^\d+;aaaaaa:\d+;bbbbbb:4$/)
  }
})

test('a client without a revision gets no past events; one far behind is told to read the list again', async t => {
  const store = tempStore(t)
  for (let i = 0; i < 201; i += 1) writeLoop(store, { id: `a${String(i).padStart(5, '0')}` })
  const fresh = tab(store, { list: '0' })
  assert.deepEqual((await fresh(signal))?.map(short), [['hello', null]])
  const state = writeLoop(store, { id: 'bbbbbb' })
  assert.deepEqual((await until(fresh, 1)).map(short), [['row', 'bbbbbb']])
  const late = await until(tab(store, { list: '1' }), 2)
  assert.deepEqual(late.map(short), [
    ['hello', null],
    ['gap', 'list'],
  ])
  store.journals.append(nextEntry(state, held()))
  const after = await until(tab(store, { list: '1' }, late[1]?.id ?? ''), 2)
  assert.deepEqual(after.map(short), [
    ['hello', null],
    ['row', 'bbbbbb'],
  ])
})

test('the words of an agent come as items from any number on, and end with its run', async t => {
  const store = tempStore(t)
  const begun = [verified(0, {}), taken('initial'), taken('iter-001'), started(1)]
  const state = writeLoop(store, { id: 'aaaaaa', spec: { agent: 'claude' }, events: begun })
  const dir = join(loopDir(store.paths, 'aaaaaa'), 'runs/1')
  mkdirSync(dir, { recursive: true })
  const said = (text: string) =>
    `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })}\n`
  writeFileSync(join(dir, 'out'), said('one') + said('two') + said('three'))
  const source = tab(store, { words: 'aaaaaa/1:1' })
  const frames = await until(source, 2)
  assert.deepEqual(frames[1]?.data, {
    loop: 'aaaaaa',
    run: 1,
    from: 1,
    items: [
      { kind: 'text', text: 'two' },
      { kind: 'text', text: 'three' },
    ],
  })
  assert.match(String(frames[1]?.id), /;aaaaaa\/1:3$/)
  store.journals.append(nextEntry(state, ended(1)))
  assert.deepEqual((await until(source, 1)).map(short), [['ended', null]])
  const plain = await until(tab(store, { words: 'aaaaaa/2:0', journals: 'nobody:0' }), 3)
  assert.match(JSON.stringify(plain[1]?.data), /"message":"/)
  assert.deepEqual(
    plain.map(({ event }) => event),
    ['hello', 'failure', 'failure'],
  )
})
