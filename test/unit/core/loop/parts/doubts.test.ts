/** Tests that are gone, a repository that is gone or has moved: the recorded facts, and the words about them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doubtsOf } from '../../../../../src/core/loop/assess/doubts.ts'
import type { State } from '../../../../../src/core/loop/state.ts'
import type { Event } from '../../../../../src/model/loop/event.ts'
import { verdictBox } from '../../../../../src/views/text/receipt.ts'
import { after, at, created, held, pass, taken, verified } from '../../../../rig/given.ts'

const here = { dir: '/repo/.git', branch: 'main', commit: 'a'.repeat(40) }
const next = { ...here, commit: 'b'.repeat(40) }

const saved = (name: string, repository: typeof here | null) => taken(name, { repository })

const resumed: Event = { kind: 'loop.resumed', data: {} }
const begun = () => after(created(), verified(0, {}), saved('initial', here))
/** The stage in which a checkpoint is taken after the agent has worked. */
const worked = (): State => ({ ...at('cleared'), doubts: begun().doubts })

test('HEAD that moves while the agent works is a doubt, and none once it is back', () => {
  const moved = after(worked(), saved('iter-001-after', next))
  assert.deepEqual(doubtsOf(moved), [{ kind: 'head-moved', from: here, to: next }])
  assert.deepEqual(doubtsOf(after({ ...moved, work: worked().work }, saved('iter-001-after', here))), [])
})

test('HEAD that its user moves between two iterations is none', () => {
  const state: State = { ...after(at('boundary'), held(), resumed), doubts: begun().doubts }
  const moved = after(state, saved('iter-002', next))
  assert.deepEqual([doubtsOf(moved), moved.doubts.repository], [[], next])
})

test('a repository that is gone is said, and so is another one in its place', () => {
  for (const now of [null, { ...here, dir: '/.git' }]) {
    const gone = after(worked(), saved('iter-001-after', now))
    assert.deepEqual(doubtsOf(gone), [{ kind: 'repository-gone', dir: '/repo/.git' }])
  }
})

test('fewer tests than at the baseline are counted, more are not', () => {
  const first = { total: 12 }
  const state = after(created(), verified(0, first))
  const fewer = after(state, verified(1, { ...pass, total: 9 }))
  assert.deepEqual(doubtsOf(fewer), [{ kind: 'fewer-tests', criterion: 'npm test', baseline: 12, last: 9 }])
  assert.deepEqual(doubtsOf(after(fewer, verified(2, { ...pass, total: 14 }))), [])
  const silent = [{ kind: 'uncounted-tests', criterion: 'npm test', baseline: 12 }]
  assert.deepEqual(doubtsOf(after(state, verified(1, pass))), silent, 'a runner that says nothing any more')
  assert.deepEqual(doubtsOf(after(state, verified(1))), [], 'nor was it asked to the end')
  const skips = { ...pass, total: 12, skipped: 2 }
  const leftOut = [{ kind: 'skipped-tests', criterion: 'npm test', baseline: 0, last: 2 }]
  assert.deepEqual(doubtsOf(after(state, verified(1, skips))), leftOut)
  assert.deepEqual(doubtsOf(after(created(), verified(0, { ...first, skipped: 2 }), verified(1, skips))), [])
  assert.deepEqual(doubtsOf(after(created(), verified(1, { ...pass, total: 9 }))), [], 'no baseline')
})

test('a loop in doubt is never SHIP, and the box says why', () => {
  const sound = after(created(), verified(0, { total: 12 }), verified(1, { ...pass, total: 12 }))
  assert.match(verdictBox(sound)[0] ?? '', /SHIP/)
  const doubtful = after(sound, verified(1, { ...pass, total: 9 }))
  const box = verdictBox({ ...doubtful, doubts: { ...doubtful.doubts, repository: next, before: here } })
  assert.match(box[0] ?? '', /MONITOR/)
  assert.ok(
    box.some(line => line.includes('Look at: HEAD moved (aaaaaaa → bbbbbbb); fewer tests (12 → 9)')),
    box.join('\n'),
  )
})
