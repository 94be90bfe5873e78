/** The form of a task from a model, and every way to violate it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planTask, type TaskDraft, taskDraft } from '../../../src/model/plan.ts'

const draft: TaskDraft = {
  id: 'T-001',
  subject: 'Implement user login',
  activeForm: 'Implementing user login',
  source: 'criterion "users can log in"',
  action: 'Write src/login.ts',
  criteria: 'a user with the right password gets a session',
  verify: 'npm test -- login',
  files: ['src/login.ts', 'test/login.test.ts'],
  blockedBy: [],
  points: 3,
}

test('a task as it should be', () => {
  assert.deepEqual(taskDraft.parse(draft), draft)
  assert.deepEqual(planTask.parse({ ...draft, wave: 2 }), { ...draft, wave: 2 })
})

const wrong: [string, object][] = [
  ['an id of another form', { id: '1' }],
  ['an empty subject', { subject: '  ' }],
  ['a subject of two lines', { subject: 'Implement\nlogin' }],
  ['no verify command', { verify: '' }],
  ['a verify command of two lines', { verify: 'true\nrm -rf .' }],
  ['no file', { files: [] }],
  ['a file outside of the tree', { files: ['../secrets'] }],
  ['a file outside of the tree, further in', { files: ['src/../../x'] }],
  ['an absolute path', { files: ['/etc/passwd'] }],
  ['a path in the home directory', { files: ['~/.ssh/id'] }],
  ['an estimate that is none of the scale', { points: 4 }],
  ['a blocker of another form', { blockedBy: ['2'] }],
  ['an unknown field', { done: true }],
]
for (const [what, change] of wrong) {
  test(`${what} is refused`, () => assert.equal(taskDraft.safeParse({ ...draft, ...change }).success, false))
}

test('dots that lead nowhere are part of a name', () => {
  assert.ok(taskDraft.safeParse({ ...draft, files: ['src/a..b.ts', '.github/x.yml', 'src/**/*.ts'] }).success)
})
