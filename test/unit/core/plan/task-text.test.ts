/** The words of a task: description, name, progressive form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressive, taskDescription, taskName, taskNumber } from '../../../../src/core/plan/waves.ts'

test('the description says source, action, completion criteria, and the verify command last', () => {
  const draft = {
    source: 'criterion "tests pass"',
    action: 'Add import to src/auth.ts.',
    criteria: 'it is imported',
    verify: "grep 'ValidationError' src/auth.ts",
  }
  assert.equal(
    taskDescription(draft),
    `Source: criterion "tests pass"
Action: Add import to src/auth.ts.
Complete when: it is imported
Verify: grep 'ValidationError' src/auth.ts`,
  )
})

const forms: [string, string][] = [
  ['Implement user login', 'Implementing user login'],
  ['Add import', 'Adding import'],
  ['Write tests', 'Writing tests'],
  ['Run the suite', 'Running the suite'],
  ['Set the level', 'Setting the level'],
  ['Fix the cart', 'Fixing the cart'],
  ['Create validation schema', 'Creating validation schema'],
  ['Tie the ends', 'Tying the ends'],
  ['See what happens', 'Seeing what happens'],
  ['Commit it', 'Committing it'],
  ['Show errors', 'Showing errors'],
  ['Bring it back', 'Bringing it back'],
  ['Adding import', 'Adding import'],
  ['42 things', '42 things'],
  ['', ''],
]
for (const [subject, form] of forms) {
  test(`"${subject}" is "${form}" while it is under way`, () => assert.equal(progressive(subject), form))
}

test('T-001 is file 1', () => {
  assert.deepEqual([1, 42, 1234].map(taskName), ['T-001', 'T-042', 'T-1234'])
  assert.deepEqual(['T-001', '1', '#7', 't-042', '0', 'T-', 'x', '1.json', '-1', '1e3'].map(taskNumber), [
    1,
    1,
    7,
    42,
    null,
    null,
    null,
    null,
    null,
    null,
  ])
})
