/** The table of `loop status -w`: which columns fit a width, and cells that are never cut in the middle of a number. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StatusRow, statusTable } from '../../../../../src/views/screen/status.ts'

const row: StatusRow = {
  id: 'a1b2c3',
  status: 'failed',
  attention: null,
  iteration: 1,
  maxIterations: 3,
  promise: 'npm test',
  agent: 'custom',
  elapsedMs: 3_000,
  costUsd: 0.42,
  costEstimated: false,
  costIncomplete: true,
  cwd: '/work',
  prompt: 'mend the cart',
  question: null,
  createdAt: 0,
  failing: [2, 1],
  depth: 0,
  node: null,
}
const table = (width: number) =>
  statusTable([row], {
    look: { colour: false, unicode: true },
    now: 60_000,
    place: { here: null, home: null },
    width,
  })

test('80 columns have the cost, whole although a part of it is unknown', () => {
  const { head, lines } = table(80)
  assert.match(head, /ELAPSED +COST *$/)
  assert.match(lines[0] ?? '', / ≥\$0\.42 *$/)
})

test('more columns have the prompt before the age and the directory', () => {
  assert.match(table(100).head, /COST +PROMPT *$/)
  assert.match(table(160).head, /COST +FAILING +AGE +DIRECTORY +PROMPT *$/)
})
