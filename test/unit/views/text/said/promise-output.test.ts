/** What a promise printed in few lines: names of what fails, what is new, or the end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failingNames, failureLines } from '../../../../../src/views/text/promise-output.ts'
import { aResult } from '../../../../rig/given.ts'

const free = {
  name: 'shipping is free from 50',
  file: 'test/cart.test.js',
  line: 31,
  said: 'expected 0, got 5',
}
const empty = { name: 'empty cart', file: 'test/cart.test.js', line: 40, said: '' }
const load = { name: 'src/tax.test.js', file: 'src/tax.test.js', line: null, said: 'it did not load' }
const output = { path: 'out', bytes: 6, tail: 'a\n\nb\nc\n' }

test('what fails is named with its place and error, and the rest is counted', () => {
  const result = aResult({ fails: [free, empty, load], failing: 3, output })
  assert.deepEqual(failureLines(result, 5), [
    '✗ shipping is free from 50  test/cart.test.js:31  expected 0, got 5',
    '✗ empty cart  test/cart.test.js:40',
    '✗ src/tax.test.js  it did not load',
  ])
  assert.deepEqual(failureLines({ ...result, failing: 9 }, 2), [
    '✗ shipping is free from 50  test/cart.test.js:31  expected 0, got 5',
    'and 8 more',
  ])
})

test('without names the new lines are shown, and otherwise the end', () => {
  const { fails: _, ...unnamed } = aResult({ output })
  assert.deepEqual(failureLines({ ...unnamed, differs: ['x', 'y', 'z'] }, 2), ['x', 'y'])
  assert.deepEqual(failureLines(unnamed, 2), ['b', 'c'])
})

test('in one line a file is named once, by its last part', () => {
  const names = (most: number) => failingNames([aResult({ fails: [free, empty], failing: 7 })], most)
  assert.equal(names(3), 'shipping is free from 50 (cart.test.js:31), empty cart (:40), 5 more')
  assert.equal(names(1), 'shipping is free from 50 (cart.test.js:31), 6 more')
  const other = aResult({ fails: [load, { ...load, name: 'rounds' }], failing: 2 })
  assert.equal(failingNames([other], 3), 'src/tax.test.js (tax.test.js), rounds')
  assert.equal(failingNames([aResult({ output })], 3), '')
})

test('what a test calls itself cannot break the line or write escapes', () => {
  const result = aResult({ fails: [{ ...free, name: 'a\nb\u001B[2J', said: 'c\u0007' }], output })
  for (const text of [...failureLines(result, 5), failingNames([result], 3)])
    for (const one of '\n\u001B\u0007') assert.ok(!text.includes(one), JSON.stringify(text))
})
