/** Tasks that wait for each other: the circle, or nothing if there is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockedCycle, type SessionTask } from '../../../../src/core/session/tasks.ts'

function tasks(rows: Record<string, string[]>, completed: string[] = []): SessionTask[] {
  return Object.entries(rows).map(([id, blockedBy]) => ({
    id,
    subject: id,
    description: '',
    status: completed.includes(id) ? 'completed' : 'pending',
    blockedBy,
    wave: null,
    isOfLoop: false,
  }))
}

test('a circle of tasks is named from its first to its last', () => {
  assert.deepEqual(blockedCycle(tasks({ 1: ['1'] })), ['1'])
  assert.deepEqual(blockedCycle(tasks({ 1: ['2'], 2: ['1'] })), ['1', '2'])
  assert.deepEqual(blockedCycle(tasks({ 1: ['2'], 2: ['9', '3'], 3: ['4'], 4: ['2'] })), ['2', '3', '4'])
})

test('no circle: an order, a diamond, one that is broken by a task that is done, a task that is not there', () => {
  assert.equal(blockedCycle([]), null)
  assert.equal(blockedCycle(tasks({ 1: [], 2: ['1'], 3: ['2'] })), null)
  assert.equal(blockedCycle(tasks({ 1: ['2', '3'], 2: ['4'], 3: ['4'], 4: [] })), null)
  assert.equal(blockedCycle(tasks({ 1: ['2'], 2: ['1'] }, ['2'])), null)
  assert.equal(blockedCycle(tasks({ 1: ['7'] })), null)
})

test('hundreds of tasks are looked through in time', () => {
  const rows = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => [`${i}`, Array.from({ length: i }, (__, j) => `${j}`)]),
  )
  assert.equal(blockedCycle(tasks(rows)), null)
})
