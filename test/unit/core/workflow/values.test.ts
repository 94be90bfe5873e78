/** Values that are known only while a workflow runs: put into text and environment; missing and unsuitable values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fill,
  filledEnvironment,
  problemOfValue,
  worstCase,
  writtenText,
} from '../../../../src/core/workflow.ts'
import type { Reference, Text } from '../../../../src/model/group/workflow.ts'
import { workflowOf } from '../../../rig/workflow-file.ts'

const version: Reference = { of: 'output', loop: 'build', field: 'version' }
const failed: Reference = { of: 'failed-loop' }
const valueOf = (reference: Reference) => (reference.of === 'output' ? '{{x}} $&' : null)

test('a text with its values; one that is missing is an error', () => {
  const text: Text = ['v', version, '!']
  assert.deepEqual(fill(text, valueOf), { text: 'v{{x}} $&!' })
  assert.deepEqual(fill([version, failed], valueOf), { missing: failed })
  assert.equal(
    writtenText(['a ', version, failed, { of: 'group-id' }]),
    'a {{outputs.build.version}}{{failed_loop}}{{workflow.id}}',
  )
})

test('an environment; what no program can be given', () => {
  assert.deepEqual(filledEnvironment({ A: ['a', version], B: [''] }, valueOf), {
    env: { A: 'a{{x}} $&', B: '' },
  })
  assert.deepEqual(filledEnvironment({ A: [failed] }, valueOf), { missing: failed })
  assert.match(problemOfValue('a\0b') ?? '', /NUL byte/)
  assert.match(problemOfValue('\uD800') ?? '', /half of a character/)
  assert.match(problemOfValue('é'.repeat(70_000)) ?? '', /longer than 127 kB/)
  assert.equal(problemOfValue('x'.repeat(130_000)), null)
  const large = Object.fromEntries(
    Array.from({ length: 9 }, (_, i): [string, Text] => [`V${i}`, ['x'.repeat(120_000)]]),
  )
  assert.deepEqual(filledEnvironment(large, valueOf), {
    unfit: 'V8',
    why: 'makes the environment larger than 1 MB',
  })
  assert.deepEqual(Object.keys(filledEnvironment({ A: ['\0'] }, valueOf)), ['unfit', 'why'])
})

test('the worst case counts attempts and retries, and no more money than the budget', () => {
  const text = (top: string, more: string) => `name: flow
${top}
loops:
  - {id: a, prompt: x, promise: npm test, max_iterations: 3, budget: 2}
  - {id: b, prompt: x, promise: npm test, max_iterations: 4, budget: 3${more}}
`
  const worst = (top: string, more: string) => worstCase(workflowOf(text(top, more)))
  assert.deepEqual(worst('budget: 100', ''), { loops: 2, starts: 2, iterations: 7, costUsd: 5 })
  assert.deepEqual(worst('budget: 100', ', best_of: 3, retry: {max: 1}'), {
    loops: 2,
    starts: 7,
    iterations: 27,
    costUsd: 20,
  })
  assert.deepEqual(worst('budget: 4', ''), { loops: 2, starts: 2, iterations: 7, costUsd: 4 })
  assert.deepEqual(worst('budget: none', ''), { loops: 2, starts: 2, iterations: 7, costUsd: 5 })
  const open = text('budget: none', '').replaceAll(/max_iterations: \d|budget: \d/g, found =>
    found.startsWith('b') ? 'budget: none' : 'max_iterations: unlimited',
  )
  assert.deepEqual(worstCase(workflowOf(open)), { loops: 2, starts: 2, iterations: null, costUsd: null })
})
