/** Attempts of one group never collide, whatever the group; after a restart each has the same values. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { attemptEnv } from '../../../src/model/attempt-env.ts'

it('attempts have ports and a compose project of their own, and the same ones again', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 64 }), (group, attempts) => {
      const all = Array.from({ length: attempts }, (_, i) => attemptEnv({ group, attempt: i + 1, attempts }))
      assert.equal(new Set(all.map(env => env['LOOP_PORT_BASE'])).size, attempts)
      assert.equal(new Set(all.map(env => env['COMPOSE_PROJECT_NAME'])).size, attempts)
      for (const [i, env] of all.entries()) {
        assert.deepEqual(attemptEnv({ group, attempt: i + 1, attempts }), env)
        const first = Number(env['LOOP_PORT_BASE'])
        assert.ok(first >= 20_000 && first + 99 < 32_768, `${first}`)
        assert.ok(27_017 < first || 27_017 > first + 99, `${first} has the port of a database`)
        assert.match(env['COMPOSE_PROJECT_NAME'] ?? '', /^[a-z0-9][a-z0-9_-]*$/)
        assert.deepEqual([env['LOOP_ATTEMPT'], env['LOOP_ATTEMPTS']], [String(i + 1), String(attempts)])
      }
    }),
  )
})

it('groups begin at different ports', () => {
  const firsts = Array.from({ length: 50 }, (_, i) =>
    attemptEnv({ group: `k3x${i}`, attempt: 1, attempts: 3 }),
  ).map(env => env['LOOP_PORT_BASE'])
  assert.ok(new Set(firsts).size > 30)
})
