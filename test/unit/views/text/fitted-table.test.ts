/** A table fits its terminal: by smaller gaps, then without the least important columns, then cut. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fittedTable } from '../../../../src/views/layout/columns.ts'

const rows = [
  ['NAME', 'KIND', 'RESULT'],
  ['one', 'loop', 'completed'],
]

test('columns are left out in their order, and only where there is no room', () => {
  const at = (width: number | null) => fittedTable(rows, { width, spare: ['KIND', 'NAME'] })
  assert.deepEqual(at(null), ['NAME   KIND   RESULT', 'one    loop   completed'])
  assert.deepEqual(at(23), ['NAME   KIND   RESULT', 'one    loop   completed'])
  assert.deepEqual(at(22), ['NAME  KIND  RESULT', 'one   loop  completed'])
  assert.deepEqual(at(20), ['NAME  RESULT', 'one   completed'])
  assert.deepEqual(at(14), ['RESULT', 'completed'])
  assert.deepEqual(at(6), ['RESULT', 'compl…'])
})
