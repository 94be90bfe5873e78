/** The rubric of the specification: its twelve phrases, its three absences, and specs as people write them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dimension, scoreSpec } from '../../../../src/core/score.ts'
import { cpuMs } from '../../../rig/cpu.ts'

const rubric: [Dimension, string, number][] = [
  ['outcome', 'Make it better', 0],
  ['outcome', 'Improve performance', 1],
  ['outcome', 'p95 latency <100ms', 2],
  ['scope', 'Fix the app', 0],
  ['scope', 'Fix auth', 1],
  ['scope', 'Fix /api/auth/token', 2],
  ['constraints', 'Use existing stack', 1],
  ['constraints', 'No new deps, <500 LOC', 2],
  ['success', 'Tests pass', 1],
  ['success', 'All tests + manual QA', 2],
  ['done', 'When it works', 1],
  ['done', 'PR merged to main', 2],
  // Dimensions that the spec does not state.
  ['constraints', 'Fix /api/auth/token', 0],
  ['success', 'Fix /api/auth/token', 0],
  ['done', 'Fix /api/auth/token', 0],
]

const written: [Dimension, string, number][] = [
  ['outcome', '', 0],
  ['outcome', 'make everything work properly', 0],
  ['outcome', 'the endpoint returns 404 for unknown users', 2],
  ['outcome', 'startup in under 2 seconds', 2],
  ['outcome', 'coverage of at least 80 %', 2],
  ['outcome', 'keep it under 500 lines of code', 1],
  ['scope', 'rename the variables in src/cart.ts', 2],
  ['scope', 'speed up parseOrder', 2],
  ['scope', 'speed up `loop status`', 2],
  ['scope', 'fix the bugs', 0],
  ['constraints', 'it no longer fails', 0],
  ['constraints', 'without changing the public API', 2],
  ['constraints', 'the wire format stays unchanged', 2],
  ['constraints', 'at most 3 files', 2],
  ['success', 'npm test and npm run lint pass', 2],
  ['success', 'the build passes and a demo is shown', 2],
  ['success', 'make it nicer', 0],
  ['done', 'done when npm test passes', 2],
  ['done', 'until I am happy', 1],
  ['done', 'deployed to staging', 2],
]

for (const [dimension, spec, points] of [...rubric, ...written]) {
  test(`${dimension} of "${spec}" is ${points}`, () => {
    const found = scoreSpec(spec).dimensions.find(one => one.dimension === dimension)
    assert.equal(found?.points, points, found?.reason)
    assert.equal(found?.raise === null, points === 2, 'what is not full says what would raise it')
  })
}

test('the sum, the fit without familiarity, and the shape that follows', () => {
  const full =
    'Cut p95 latency of /api/auth/token to <100ms. No new deps, <500 LOC. All tests + manual QA. PR merged to main.'
  const best = scoreSpec(full)
  // 5 x 10, and five for each of constraints, success and done.
  assert.deepEqual([best.score, best.fit, best.shape], [10, 65, 'tool'])
  const least = scoreSpec('Make it better')
  assert.deepEqual([least.score, least.fit, least.shape], [0, 0, 'blocked'])
  // 2 + 2 + 0 + 1 + 0 points: not below the minimum score, with a fit of 25.
  const middle = scoreSpec('p95 latency of /api/auth/token is <100ms')
  assert.deepEqual([middle.score, middle.fit, middle.shape], [5, 25, 'colleague'])
  // 2 + 2 + 2 + 1 + 0 points, and five for its constraints.
  const review = scoreSpec('p95 latency of /api/auth/token is <100ms, without new endpoints')
  assert.deepEqual([review.score, review.fit, review.shape], [7, 40, 'tool'])
})

// A pattern that backtracks over a long word took seconds for each of these.
test('a long text without spaces is scored quickly', () => {
  const words = ['a/', ' under', ' no', 'a', '1', '-', '@', '.', 'Aa', 'a_', 'remove ']
  for (const word of words) {
    const text = word.repeat(100_000 / word.length)
    const took = cpuMs(() => assert.equal(scoreSpec(text).dimensions.length, 5))
    assert.ok(took < 1_500, `${word}: ${took} ms`)
  }
})

test('the quoted words are those that earned the points', () => {
  const rows: [Dimension, string, string][] = [
    ['outcome', 'add a dark mode toggle to the settings page', '"dark mode toggle" says what, not how much'],
    ['scope', 'add a dark mode toggle to the settings page', '"settings page" is a part, not a place'],
    ['scope', 'Fix auth', '"auth" is a part, not a place'],
    ['scope', 'Use existing stack', '"existing stack" is a part, not a place'],
    ['scope', 'No new deps', '"deps" is a part, not a place'],
    ['outcome', 'Improve performance', '"performance" says what, not how much'],
    ['outcome', 'Fix the login form, then the cart', '"login form" says what, not how much'],
    ['outcome', 'refactor', '"refactor" says what, not how much'],
  ]
  for (const [dimension, spec, reason] of rows) {
    const found = scoreSpec(spec).dimensions.find(one => one.dimension === dimension)
    assert.equal(found?.reason, reason, spec)
  }
})
