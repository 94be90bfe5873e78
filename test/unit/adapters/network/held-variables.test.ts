/** Variables of Node do not reach the program outside of a sandbox, and the command has them as they were. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { held, released } from '../../../../src/adapters/network/guard.ts'

test('what Node would obey is held, everything else stays, and all of it comes back', () => {
  const env = {
    PATH: '/bin',
    LOOP_RUN: 'x',
    NODE_OPTIONS: '--require ./x.cjs',
    OPENSSL_CONF: './x',
    NODENV: '1',
  }
  const outside = held(env)
  assert.deepEqual(
    [
      outside['NODE_OPTIONS'],
      outside['OPENSSL_CONF'],
      outside['PATH'],
      outside['LOOP_RUN'],
      outside['NODENV'],
    ],
    [undefined, undefined, '/bin', 'x', '1'],
  )
  assert.deepEqual(released(outside), env)
})
