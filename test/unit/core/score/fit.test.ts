/** From a score to a shape, at every border, by both rules. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { familiarityOf, fitOf, scoreSpec, shapeFor } from '../../../../src/core/score.ts'

test('fit counts five a point, five for each full bonus dimension, and familiarity', () => {
  assert.equal(fitOf({ score: 7, sure: [], familiarity: 0 }), 35)
  assert.equal(fitOf({ score: 7, sure: ['outcome', 'scope'], familiarity: 0 }), 35)
  assert.equal(fitOf({ score: 7, sure: ['constraints', 'success', 'done'], familiarity: 4 }), 54)
})

test('familiarity is two for each completed loop, at most ten', () => {
  assert.deepEqual([0, 1, 4, 5, 6, 1_000].map(familiarityOf), [0, 2, 8, 10, 10, 10])
})

const byFit: [number, number, string][] = [
  [10, 65, 'tool'],
  [7, 40, 'tool'],
  [7, 39, 'tool-review'],
  [6, 30, 'tool-review'],
  [5, 29, 'colleague'],
  [5, 25, 'colleague'],
  [5, 24, 'blocked'],
  [4, 40, 'blocked'],
  [0, 10, 'blocked'],
]
for (const [score, fit, shape] of byFit) {
  test(`score ${score}, fit ${fit}: ${shape}`, () => assert.equal(shapeFor({ score, fit }, 'fit'), shape))
}

test('the older rule goes by the score alone', () => {
  const shapes = Array.from({ length: 11 }, (_, score) => shapeFor({ score, fit: 65 }, 'score'))
  const expected = [...Array(5).fill('blocked'), ...Array(3).fill('colleague'), ...Array(3).fill('tool')]
  assert.deepEqual(shapes, expected)
})

test('a familiar repository can lift a spec to the next shape, but never out of blocked by its score', () => {
  const spec = 'p95 latency of /api/auth/token is <100ms'
  assert.equal(scoreSpec(spec).shape, 'colleague')
  assert.deepEqual(
    [scoreSpec(spec, { completed: 3 }).fit, scoreSpec(spec, { completed: 3 }).shape],
    [31, 'tool-review'],
  )
  assert.equal(scoreSpec('Make it better', { completed: 50 }).shape, 'blocked')
  assert.equal(scoreSpec(spec, { rule: 'score', completed: 9 }).shape, 'colleague')
})
