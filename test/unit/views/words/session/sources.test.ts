/** The messages to a session, compared with the sources of the specification. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { noBlocks, type Situation } from '../../../../../src/core/session/stop.ts'
import type { SessionTask } from '../../../../../src/core/session/tasks.ts'
import { parseWorkflow } from '../../../../../src/core/session/tasks.ts'
import { reasonFor } from '../../../../../src/views/words/reinforcement.ts'
import { resumeText } from '../../../../../src/views/words/resume.ts'

const source = (name: string) =>
  readFileSync(new URL(`../../../../recordings/seeds/${name}`, import.meta.url), 'utf8')

function task(id: number, status: SessionTask['status'], subject = `Task ${id}`): SessionTask {
  return {
    id: String(id),
    subject,
    description: '{task description}',
    status,
    blockedBy: [],
    wave: 2,
    isOfLoop: false,
  }
}

const tasks = [
  task(1, 'completed'),
  task(2, 'completed'),
  task(3, 'in_progress', 'Implement user login'),
  task(4, 'pending'),
  task(5, 'pending'),
]

function situation(more: Partial<Situation>): Situation {
  return {
    session: 's1',
    again: false,
    subagents: false,
    loop: null,
    counter: noBlocks,
    file: null,
    workflow: null,
    tasks,
    costUsd: null,
    cap: 8,
    ...more,
  }
}

test('the reinforcement message is that of the second source', () => {
  const told = reasonFor('tasks', situation({}), { pipeline: 'develop', failed: [] })
  assert.equal(told.trim(), source('reinforcement.md').trim())
})

test('the resume announcement is that of the third source, from its own state file', () => {
  const workflow = parseWorkflow(source('workflow-state.json').replace(/"intent\|[^"]*"/, '"review"'))
  const told = resumeText(situation({ workflow }))
  const filled = source('resume.txt')
    .replace('{stage}', 'review')
    .replace('{spec_score}', '7')
    .replace('{fit_score}', '35')
    .replace('N/M', '2/5')
    .replace('Wave: X', 'Wave: 2')
    .replace('{wave_reviews_summary}', 'wave_1 8/10; wave_2 7/10, 1 open; thorough not passed, 1 open')
    .replace('{suggested_action}', '#3 Implement user login')
  assert.equal(told.trim(), filled.trim())
})
