/** Whole sentences about the missing parts of a plan. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preWorkProblems } from '../../../../src/core/plan/shape-file.ts'
import { taskTroubleWords } from '../../../../src/failures/plan.ts'
import { preWorkWords } from '../../../../src/views/words/plan.ts'

test('what is missing in a shape', () => {
  const criteria = [
    { name: 'fast', command: null, verification: 'measurement' as const },
    { name: 'fast', command: 'true', verification: null },
    { name: 'safe', command: null, verification: 'assumption' as const },
  ]
  const words = preWorkProblems({ criteria, mustNot: [{ name: 'data loss', command: null }] }).map(
    preWorkWords,
  )
  assert.deepEqual(words, [
    'Two criteria are called "fast"; give each a name of its own.',
    '"fast" is verified by measurement and names no command that exits 0 once it is met.',
    '"fast" does not say how it is verified: execution output, observation, measurement, reasoned inference or code review.',
    '"safe" is an assumption, which can never be met; say how it can be seen.',
    '"data loss" must not happen, but no command says whether it does.',
    '1 of at least 2 things are named that must not happen.',
  ])
  assert.equal(
    preWorkWords({ kind: 'no-criteria' }),
    'No criterion is named: nothing would say when the work is done.',
  )
})

test('why tasks cannot be put in order', () => {
  assert.equal(
    taskTroubleWords({ kind: 'cycle', path: ['T-001', 'T-003', 'T-002'] }),
    'Tasks wait for each other in a circle: T-001 → T-003 → T-002 → T-001 (each waits for the next).',
  )
  assert.equal(
    taskTroubleWords({ kind: 'unknown-blocker', id: 'T-001', blocker: 'T-009' }),
    'T-001 is blocked by T-009, which is no task.',
  )
  assert.equal(taskTroubleWords({ kind: 'twice', id: 'T-001' }), 'Two tasks have the id T-001.')
})
