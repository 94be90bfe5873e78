/** `_context.md`, compared with the form in the source. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type ContextDeviation,
  type ContextIntervention,
  contextPage,
  type RunContext,
} from '../../../../src/views/plan/context.ts'

const seed = readFileSync(new URL('../../../recordings/seeds/context.md', import.meta.url), 'utf8')

const deviation: ContextDeviation = { before: 'XXX', found: 'YYY', adjustment: 'ZZZ' }
const context: RunContext = {
  turns: [
    { attempt: 'Proposed plan A', feedback: 'Rejected, asked simpler' },
    { attempt: 'Proposed plan B', feedback: 'Approved, entered loop' },
  ],
  goal: 'XXX',
  scope: 'YYY',
  constraints: ['ZZZ'],
  assumptions: ['Expected modules involved', 'Expected implementation approach', 'Expected difficulties'],
  documents: { requirements: 'none / path', design: 'none / path', plan: 'none / path' },
  deviations: [deviation],
  interventions: [],
}

test('the page is that of the source, without its instructions in brackets', () => {
  const form = seed
    .split('\n')
    .filter(line => !/^\[.*\]$/.test(line))
    .join('\n')
  assert.equal(contextPage(context).trim(), form.trim())
})

test('before the work is over the second half is open; without a deviation it says so', () => {
  const open = contextPage({ ...context, deviations: null })
  assert.ok(open.includes('### Deviations\n\n### Interventions'))
  assert.ok(contextPage({ ...context, deviations: [] }).includes('### Deviations\nno deviation\n'))
})

test('interventions with their time, and no text that breaks a table', () => {
  const interventions: ContextIntervention[] = [
    { at: '2026-11-17 10:15', what: 'inject by the user', text: 'use the | old\nparser' },
    { at: '2026-11-17 10:20', what: 'rollback to iter-002', text: '' },
  ]
  const page = contextPage({ ...context, interventions, documents: {} })
  assert.ok(
    page.endsWith(
      '### Interventions\n- 2026-11-17 10:15 inject by the user: use the \\| old parser\n- 2026-11-17 10:20 rollback to iter-002\n',
    ),
  )
  assert.ok(page.includes('| requirements | none |\n| design | none |\n| plan | none |\n'))
})
