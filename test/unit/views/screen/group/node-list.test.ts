/** The mark of a check for a forbidden criterion: only a clear verdict is shown as one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeMark } from '../../../../../src/views/screen/nodes.ts'

const ended = {
  id: 'gate/1/m1',
  kind: 'command',
  member: null,
  stage: 'ended',
  reason: null,
  why: '',
} as const

const forbidden = { name: 'a test is skipped', forbidden: true }

const rows = [
  { how: 'failed', verdict: 'FAIL', sign: 'pass', word: 'does not happen' },
  { how: 'completed', verdict: 'PASS', sign: 'fail', word: 'happens, and must not' },
  { how: 'failed', verdict: 'ERROR', sign: 'fail', word: 'failed' },
] as const

for (const { how, verdict, sign, word } of rows) {
  test(`a check for something forbidden: ${verdict}`, () => {
    const node = { ...ended, how, judged: { ...forbidden, verdict, why: '' } }
    const mark = nodeMark({ node, member: undefined })
    assert.deepEqual([mark.sign, mark.word], [sign, word])
  })
}
