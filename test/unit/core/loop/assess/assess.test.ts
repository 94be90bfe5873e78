/** The assessment of a loop at its beginning: it is recorded with the first event, and the recorded one counts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creation } from '../../../../../src/core/loop/assess/assess.ts'
import { begin } from '../../../../../src/core/loop/evolve.ts'
import { buildPrompt } from '../../../../../src/core/loop/prompt.ts'
import { summarize } from '../../../../../src/core/loop/summary.ts'
import { event } from '../../../../../src/model/loop/event.ts'
import { announce } from '../../../../../src/views/text/announce.ts'
import { aSpec, created, recorded } from '../../../../rig/given.ts'

test('a loop with a promise has the shape tool, and the rest from its words', () => {
  const rows: [prompt: string, workflow: string, reversibility: string][] = [
    ['fix the failing login', 'B', '2B'],
    ['refactor the cart', 'C', '2B'],
    ['rename the setting', 'A', '2A'],
    ['migrate the database', 'C', '1'],
    ['prices in euro', 'A', '2B'],
  ]
  for (const [prompt, workflow, reversibility] of rows) {
    const { data } = creation(aSpec({ prompt }))
    assert.deepEqual(data.assessed, { shape: 'tool', workflow, reversibility }, prompt)
  }
})

test('the recorded assessment counts, whatever today’s rules would say', () => {
  const first = creation(aSpec({ prompt: 'rename the setting' }), {
    shape: 'colleague',
    score: 6,
    workflow: 'B',
    reversibility: '1',
  })
  const state = begin(recorded(event.parse(first) as typeof first))
  const assessed = { shape: 'colleague', score: 6, workflow: 'B', reversibility: '1' }
  assert.deepEqual(summarize(state).assessed, assessed)
  assert.match(buildPrompt(state, 1, {}), /Find the root cause/)
  const [said] = announce(recorded(first), state, null).slice(-1)
  assert.equal(said, '[LOOP] Starting | Shape: Colleague (6/10) | Workflow: B | Steps: 1 | Budget: $25')
})

test('a journal without an assessment gets it from its prompt', () => {
  const state = created({ prompt: 'migrate the database' })
  assert.deepEqual(state.assessed, { shape: 'tool', workflow: 'C', reversibility: '1', raisedBy: null })
})
