/** When a passed verdict counts for the tree at hand, when the tree is compared, and when the promise runs again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sameTree } from '../../../../../src/core/loop/assess/same-tree.ts'
import { decide } from '../../../../../src/core/loop/decide.ts'
import type { Event } from '../../../../../src/model/loop/event.ts'
import {
  after,
  at,
  compared,
  created,
  held,
  lookTaken,
  pass,
  taken,
  verified,
} from '../../../../rig/given.ts'

const left = taken('iter-001-verified', { tree: 'left' })
const passed = after(at('settled'), left, verified(1, pass))
const resumed: Event = { kind: 'loop.resumed', data: {} }
const paused = [held('paused-by-user'), resumed]
const said = { criterion: 'c', by: 'me', text: '' }
const answered: Event = { kind: 'question.answered', data: { ...said, met: true } }
const declined: Event = { kind: 'question.answered', data: { ...said, met: false, suspect: true } }
const look = lookTaken('green', 'PASS')
const compare = { compareWith: 'left' }
const same = compared(1)
const other = compared(1, 2)

const rows: [what: string, events: Event[], before: object | string, afterLooks: object | string][] = [
  ['a verdict that was just recorded', [], 'known', 'known'],
  ['second looks since', [look], 'known', compare],
  ['second looks, and compared', [look, same], 'known', 'known'],
  ['a pause', paused, compare, compare],
  ['a pause during the looks', [look, ...paused], compare, compare],
  ['a pause, and compared', [...paused, same], 'known', 'known'],
  ['a pause, and an edit', [...paused, other], 'verify', 'verify'],
  ['a pause, and trees that cannot be compared', [...paused, compared(1, null)], 'verify', 'verify'],
  ['an edit, and verified again', [...paused, other, left, verified(1, pass)], 'known', 'known'],
  ['an answer', [answered], compare, compare],
  ['a suspect result that a person sends back', [declined], compare, compare],
  [
    'a pause that was taken back at once',
    [held(), { kind: 'loop.resumed', data: { stays: true } }],
    'known',
    'known',
  ],
]

for (const [what, events, before, afterLooks] of rows) {
  test(what, () => {
    const state = after(passed, ...events)
    assert.deepEqual(
      [sameTree(state, state.epoch, false), sameTree(state, state.epoch, true)],
      [before, afterLooks],
    )
  })
}

test('another host compares, whatever the one before has seen', () => {
  const next = passed.epoch + 1
  assert.deepEqual(sameTree(passed, next, false), compare)
  const step = { kind: 'compare', iteration: 1, compareWith: 'left' }
  assert.deepEqual(decide(passed, 0, next), { do: 'step', step })
  assert.deepEqual(decide(after(passed, held()), 0, next), { do: 'rest' }, 'not while the loop rests')
  assert.equal(decide(passed, 0).do, 'record')
})

test('a tree that was not saved is verified again', () => {
  const unsaved = after(at('settled', { checkpoint: 'none' }), verified(1, pass))
  assert.deepEqual(decide(unsaved, 0, unsaved.epoch + 1), {
    do: 'step',
    step: { kind: 'verify', iteration: 1 },
  })
  const baseline = after(created(), verified(0, pass))
  assert.deepEqual(decide(baseline, 0, baseline.epoch + 1), {
    do: 'step',
    step: { kind: 'verify', iteration: 0 },
  })
})
