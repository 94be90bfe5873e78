/** The cost of all members of a group, and how much of it is known. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costTogether } from '../../../../src/core/group/summary.ts'

const one = (
  costUsd: number | null,
  iteration = 1,
  more: { costEstimated?: boolean; costIncomplete?: boolean } = {},
) => ({
  costUsd,
  iteration,
  costEstimated: false,
  costIncomplete: false,
  ...more,
})

test('the sum of what is known, and whether that is all', () => {
  const rows: [ReturnType<typeof one>[], object][] = [
    [[], { costUsd: null, costEstimated: false }],
    [[one(null, 0), one(null, 0)], { costUsd: null, costEstimated: false }],
    [[one(null), one(null)], { costUsd: null, costEstimated: false }],
    [[one(1), one(0.5)], { costUsd: 1.5, costEstimated: false }],
    [[one(1), one(null, 0)], { costUsd: 1, costEstimated: false }],
    [[one(1), one(null)], { costUsd: 1, costEstimated: false, costIncomplete: true }],
    [[one(1, 1, { costEstimated: true }), one(2)], { costUsd: 3, costEstimated: true }],
    [[one(1, 1, { costIncomplete: true })], { costUsd: 1, costEstimated: false, costIncomplete: true }],
  ]
  for (const [members, expected] of rows)
    assert.deepEqual(costTogether(members), { costIncomplete: false, ...expected })
})
