/** PROGRESS.md of a plan, compared with the page in the source. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type PlanProgress, planProgressPage, type TaskLine } from '../../../../src/views/plan/documents.ts'

const seed = readFileSync(new URL('../../../recordings/seeds/progress.md', import.meta.url), 'utf8')

function line(number: number, wave: number, more: Partial<TaskLine> & { subject: string }): TaskLine {
  return { id: `T-00${number}`, wave, status: 'pending', owner: null, blockedBy: [], ...more }
}

const tasks = [
  line(1, 1, { subject: 'Add ValidationError import to auth.ts', status: 'completed' }),
  line(2, 1, { subject: 'Add ValidationError import to api.ts', status: 'completed' }),
  line(3, 2, { subject: 'Create validation schema', status: 'in_progress', owner: 'subagent' }),
  line(4, 2, { subject: 'Implement validateToken', blockedBy: ['T-001'] }),
  line(5, 3, { subject: 'Implement validateUser', blockedBy: ['T-003'] }),
  line(6, 4, { subject: 'Add tests', blockedBy: ['T-004', 'T-005'] }),
]
const plan: PlanProgress = {
  goal: 'Add validation to auth',
  rests: null,
  wave: 2,
  iteration: 3,
  costUsd: 2.5,
  budgetUsd: 25,
  tasks,
  stuckCount: 0,
  counsel: false,
}

test('the page is that of the source', () => {
  // The source lists five of its six tasks.
  const whole = seed.replace(
    '(blocked by T-003)\n',
    '(blocked by T-003)\n- [ ] T-006: Add tests (blocked by T-004, T-005)\n',
  )
  assert.equal(planProgressPage(plan), whole)
})

test('at the end, and while it rests', () => {
  const done = tasks.map(task => ({ ...task, status: 'completed' as const, owner: null }))
  const rests = 'paused: G3 waits for you'
  const end = { ...plan, tasks: done, wave: 4, rests, costUsd: null, budgetUsd: null, counsel: true }
  const page = planProgressPage(end)
  assert.ok(
    page.includes('**Status:** Wave 4 of 4 (paused: G3 waits for you) | Iteration 3 | Cost: unknown/none\n'),
  )
  assert.ok(page.includes('## ✅ Completed (Wave 1–4)\n'))
  assert.ok(!page.includes('In Progress') && !page.includes('Pending'))
  assert.ok(page.includes('- Tasks: 6/6 complete\n- Stuck count: 0\n- Counsel consulted: Yes\n'))
})

test('before the first task, and with a subject that would be another line', () => {
  const page = planProgressPage({ ...plan, wave: 1, tasks: [] })
  assert.ok(page.includes('**Status:** Wave 1 of 1 |'))
  assert.ok(page.includes('- Tasks: 0/0 complete'))
  const nasty = planProgressPage({ ...plan, tasks: [line(1, 1, { subject: 'a\n## ✅ Completed\u001b[2J' })] })
  assert.equal(nasty.match(/^## /gm)?.length, 2)
  assert.ok(!nasty.includes('\u001b'))
})
