/** The row that says what to type: for loops that go on no more by themselves, and for those only. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarize } from '../../../../src/core/loop/summary.ts'
import type { Event } from '../../../../src/model/loop/event.ts'
import { nextRow } from '../../../../src/views/screen/frame.ts'
import { after, at, shipped, unready, wholeIteration } from '../../../rig/given.ts'

const look = { colour: false, unicode: true }

function rowOf(width: number, ...events: Event[]): string[] {
  const summary = summarize(after(at('boundary', { maxIterations: 9 }), ...wholeIteration(1, {}), ...events))
  return nextRow({ summary: { ...summary, id: 'a1b2c3' }, orphaned: false }, look, width)
}

test('a loop that has failed says what to type, in two rows at most', () => {
  const failed: Event = { kind: 'loop.failed', data: { reason: 'stuck', ship: unready } }
  const whole = 'next: loop logs a1b2c3 | loop inject a1b2c3 "another way to do it" | loop resume a1b2c3'
  assert.deepEqual(rowOf(120, failed), [whole])
  assert.deepEqual(rowOf(50, failed), [
    'next: loop logs a1b2c3 | loop inject a1b2c3',
    '"another way to do it" | loop resume a1b2c3',
  ])
  assert.deepEqual(rowOf(30, failed), ['next: loop logs a1b2c3 | loop', 'inject a1b2c3 "another way to…'])
})

test('one that works, or has completed, says nothing', () => {
  assert.deepEqual(rowOf(120), [])
  assert.deepEqual(rowOf(120, { kind: 'loop.completed', data: { ship: shipped } }), [])
})
