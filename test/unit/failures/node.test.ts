/** Why a node of a group is skipped, dropped or done again, as people and agents read it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeReasons } from '../../../src/failures/node.ts'
import { nodeReasonWords } from '../../../src/failures/node.ts'

const said: { [K in keyof NodeReasons]: [NodeReasons[K], string][] } = {
  'need-unmet': [[{ node: '1-a' }, '1-a has not completed']],
  'loop-ended': [
    [{ loop: 'build', ending: 'completed' }, 'build has completed'],
    [{ loop: 'build', ending: 'failed' }, 'build has failed'],
    [{ loop: 'build', ending: 'skipped' }, 'build was skipped'],
  ],
  'condition-unmet': [[{}, 'its condition does not hold']],
  'not-confirmed': [[{}, 'it was not confirmed']],
  'out-of-file': [[{}, 'it is no longer in the file']],
  'other-first': [[{ node: '1-a' }, '1-a was first']],
  'budget-spent': [[{}, 'the budget of the group is spent']],
  'suspect-rests': [[{}, 'it may pass by changes to what judges the work']],
  'judge-rests': [[{}, 'the judge cannot be asked']],
  'stopped-by-user': [[{}, 'it was stopped by you']],
  'gate-again': [[{}, 'the gate was run again']],
  'tree-edited': [[{}, 'the tree is not the one in which it passed']],
  'work-since': [[{}, 'more work was done since']],
  'group-resumed': [[{}, 'the group goes on']],
  'source-again': [[{ node: 'T-001' }, 'T-001 is done again']],
  'promise-unmet': [
    [{}, 'An earlier try ended without the promise.'],
    [{ reason: 'stuck' }, 'An earlier try ended without the promise: stuck.'],
  ],
  'markers-left': [
    [{ files: ['a.ts', 'b.ts'] }, 'conflict markers are in a.ts, b.ts, and the promise was not run'],
  ],
  'nothing-taken': [
    [
      {},
      'your version of every file was kept, so nothing of the result was applied; the promise holds in the work tree',
    ],
  ],
  'result-conflicts': [
    [
      { others: 'loops', conflicts: ['a.ts', 'b.ts'] },
      'Your earlier result changed the same places as others did meanwhile: a.ts, b.ts. Their changes are in the tree now.',
    ],
    [
      { others: 'tasks', conflicts: ['a.ts'] },
      'Your earlier result changed the same places as other tasks did meanwhile: a.ts. Their changes are in the tree now.',
    ],
  ],
  'result-fails': [
    [
      { others: 'loops' },
      'With what others changed meanwhile, the promise failed after your earlier result came into the tree. Their changes are in the tree now.',
    ],
    [
      { others: 'tasks' },
      'With what other tasks changed meanwhile, a check failed after your earlier result came into the tree. Their changes are in the tree now.',
    ],
  ],
  'tasks-disputed': [
    [{ answer: 'one more for the docs' }, 'A person has looked at the tasks and says: one more for the docs'],
  ],
}

for (const [kind, rows] of Object.entries(said))
  test(`the words of ${kind}`, () => {
    for (const [data, words] of rows) {
      const facts = { kind, ...(data as object) }
      assert.equal(nodeReasonWords({ facts, why: 'as another version said it' }), words)
    }
  })

test('a journal of another version says it in its own words; no reason is no words', () => {
  assert.equal(nodeReasonWords({ why: 'it rained' }), 'it rained')
  const newer = { facts: { kind: 'rained', mm: 3 }, why: 'it rained' }
  assert.equal(nodeReasonWords(newer), 'it rained')
  assert.equal(nodeReasonWords(null), '')
})
