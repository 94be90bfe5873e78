/** The files of a run beside `_context.md`, whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planShape } from '../../../../src/model/plan.ts'
import { documentPage, metaPage, type RunMeta } from '../../../../src/views/plan/documents.ts'

const shape = planShape.parse({
  goal: 'Users can log in',
  scope: 'src/auth',
  constraints: [],
  assumptions: [],
  criteria: [{ name: 'tests pass', command: 'npm test', verification: 'execution output' }],
  mustNot: [{ name: 'new dependency', command: 'false' }],
  phases: 'plan → design → tasks',
  documents: { requirements: null, design: null, plan: null },
  points: 3,
  alt: 'cookies',
  risk: null,
})

test('_meta.md names goal and pipeline, in one line each', () => {
  const meta: RunMeta = {
    slug: 'login',
    goal: 'users\ncan log in',
    pipeline: 'plan → tasks',
    created: '2026-11-17',
  }
  const page = '# login\n\n- goal: users can log in\n- pipeline: plan → tasks\n- created: 2026-11-17\n'
  assert.equal(metaPage(meta), page)
  assert.equal(
    metaPage({ ...meta, loop: 'a1b2c3', taskList: 'shop-login' }),
    `${page}- loop: a1b2c3\n- task list: shop-login\n`,
  )
})

test('the documents have the facts that loop holds to, then the words of the model', () => {
  const text = '# My title\n\nFirst the token.\n'
  assert.equal(
    documentPage('requirements', shape, text),
    `# Requirements: Users can log in

Scope: src/auth

## Criteria

- tests pass (execution output)

## Must not

- new dependency

## In words

First the token.
`,
  )
  assert.equal(
    documentPage('design', shape, text),
    '# Design: Users can log in\n\nChosen against: cookies\nRisk: none named\n\nFirst the token.\n',
  )
  assert.equal(
    documentPage('plan', shape, text),
    '# Plan: Users can log in\n\nPhases: plan → design → tasks (Need technical design)\n\nFirst the token.\n',
  )
})
