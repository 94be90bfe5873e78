/** Streams of loopd: a watcher sees the writes of any connection, and costs nothing while nothing happens. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { feedOf } from '../../../../src/engine/feed.ts'
import { eventFrames, loopFrames, outputFrames } from '../../../../src/server/api/stream.ts'
import {
  cancelled,
  ended,
  launched,
  nextEntry,
  started,
  taken,
  tempStore,
  writeLoop,
} from '../../../rig/given.ts'
import { until } from '../../../rig/rig.ts'

const { signal } = new AbortController()
const running = [taken('initial'), taken('iter-001'), started(1), launched(1)]

test('writes of loopd itself, over the watched connection, are seen', async t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa', events: running })
  const followed = { store, feed: feedOf(store) }
  const events = eventFrames(followed, 'aaaaaa', 0)
  const loops = loopFrames(followed, id => id)
  await events(signal)
  await loops(signal)
  const waiting = [events(signal), loops(signal)]
  store.journals.append(nextEntry(state, cancelled))
  const [event, loop] = await Promise.all(waiting)
  assert.deepEqual([event?.[0]?.id, loop?.[0]?.data], [String(state.seq + 1), 'aaaaaa'])
})

test('a stream that waits for the end of a run reads only new events, and only when there are some', async t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa', events: running })
  const asked = { looks: 0, after: [] as number[] }
  const { ofKinds } = store.journals
  const { byAny } = store.changes
  store.changes.byAny = () => {
    asked.looks += 1
    return byAny()
  }
  store.journals.ofKinds = (id, kinds, after) => {
    asked.after.push(after)
    return ofKinds(id, kinds, after)
  }
  const feed = feedOf(store)
  const output = { store, feed, loop: 'aaaaaa', run: 1, file: join(store.paths.data, 'none'), secrets: [] }
  const waiting = outputFrames(output, 0)(signal)
  await until('some looks', () => asked.looks > 4)
  assert.deepEqual(asked.after, [0])
  store.journals.append(nextEntry(state, ended(1)))
  assert.deepEqual(await waiting, [{ event: 'end', id: '0', data: { bytes: 0 } }])
  assert.deepEqual(asked.after, [0, state.seq])
})
