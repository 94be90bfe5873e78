/** The tables of the second source: numbers of tasks, phases, documents. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { documentsFor, phaseReasons, taskCounts } from '../../../../src/core/plan/waves.ts'
import type { PhaseCombination } from '../../../../src/model/plan.ts'

function rowsOf(name: string): string[][] {
  const text = readFileSync(new URL(`../../../recordings/seeds/${name}`, import.meta.url), 'utf8')
  const lines = text.split('\n').filter(line => line.startsWith('|'))
  return lines.slice(2).map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
}

test('task counts are those of the source', () => {
  const said = rowsOf('task-count.md').map(([workload = '', count = '']) => {
    const [least = 0, most = least] = count.split('–').map(Number)
    return [workload.toLowerCase(), { least, most }]
  })
  assert.deepEqual(Object.entries(taskCounts), said)
})

test('phase combinations are those of the source', () => {
  const said = rowsOf('phases.md').map(([why, phases]) => [phases, why])
  assert.deepEqual(Object.entries(phaseReasons), said)
})

const rows: [PhaseCombination, number, string[]][] = [
  ['tasks', 1, []],
  ['tasks', 5, []],
  ['tasks', 6, ['requirements']],
  ['plan → tasks', 3, ['plan']],
  ['plan → design → tasks', 4, ['design', 'plan']],
  ['plan → requirements → design → tasks', 2, ['requirements', 'design', 'plan']],
]
for (const [phases, tasks, documents] of rows) {
  test(`${phases} with ${tasks} tasks writes ${documents.join(', ') || 'none'}`, () => {
    assert.deepEqual(documentsFor(phases, tasks), documents)
  })
}
