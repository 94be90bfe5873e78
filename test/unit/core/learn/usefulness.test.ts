/** The usefulness of a learning, from the outcome of the loops it was shown to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Showing, usefulnessOf } from '../../../../src/core/learn.ts'

const statuses: Record<string, string> = {
  done: 'completed',
  lost: 'failed',
  dead: 'crashed',
  off: 'cancelled',
  on: 'running',
}
const shown = (loop: string, said: Showing['said'] = 'used'): Showing => ({ id: 'l-aaaaaa', loop, said })
const judge = (...list: Showing[]) => usefulnessOf(list, loop => statuses[loop] ?? null)

test('each showing is judged by what became of its loop, and by what was said', () => {
  assert.deepEqual(judge(), { shown: 0, helped: 0, unhelpful: 0, isToGo: false })
  const mixed = judge(
    shown('done'),
    shown('lost'),
    shown('on'),
    shown('gone'),
    shown('done', 'dismissed'),
    shown('done', 'confirmed'),
  )
  assert.deepEqual(mixed, { shown: 6, helped: 2, unhelpful: 2, isToGo: false })
})

test('five in a row that helped nobody propose its removal; one that helped begins the count anew', () => {
  const bad = [shown('lost'), shown('dead'), shown('off'), shown('done', 'dismissed'), shown('lost')]
  assert.equal(judge(...bad).isToGo, true)
  assert.equal(judge(...bad.slice(1)).isToGo, false)
  assert.equal(judge(...bad, shown('done')).isToGo, false)
  // A loop that is still open counts neither way.
  assert.equal(judge(...bad, shown('on')).isToGo, true)
})
