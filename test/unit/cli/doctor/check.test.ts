/** Checks of the doctor for states that the real program cannot be brought into. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bad, examined, good } from '../../../../src/cli/doctor/check.ts'
import { spaceLeft } from '../../../../src/cli/doctor/data.ts'

test('the room that is left: enough, little, none to work with', () => {
  const rows: [number, string][] = [
    [0, 'fail'],
    [99_999_999, 'fail'],
    [100_000_000, 'warn'],
    [1_999_999_999, 'warn'],
    [2_000_000_000, 'ok'],
    [5e12, 'ok'],
  ]
  for (const [bytes, status] of rows) assert.equal(spaceLeft(bytes).status, status, String(bytes))
  assert.equal(spaceLeft(1_500_000_000).found, '1.5 GB free')
})

test('a check that throws is a failed check, and the others are not lost', async () => {
  const broken = () => {
    throw new Error('EIO: i/o error')
  }
  const next = 'Solve that, then run this again.'
  assert.deepEqual(await examined('store', broken), [
    bad('store', 'it cannot be looked at: EIO: i/o error', next),
  ])
  assert.deepEqual(await examined('node', () => [good('node', '24')]), [good('node', '24')])
})
