/** The one rule about exit codes: what the end of a promise and of an agent means. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOf, verdictOf, withCounts } from '../../../../src/core/loop/verdict.ts'
import type { Verdict } from '../../../../src/model/loop/event.ts'

const exit = (code: number, timedOut = false) => ({ code, timedOut, durationMs: 1 })

test('a promise passes by exit 0 alone; what could not be judged is an ERROR', () => {
  const table: [number, Verdict, string][] = [
    [0, 'PASS', 'exit 0'],
    [1, 'FAIL', 'exit 1'],
    [2, 'FAIL', 'exit 2'],
    [125, 'FAIL', 'exit 125'],
    [126, 'ERROR', 'exit 126: found but cannot be executed'],
    [127, 'ERROR', 'exit 127: command not found'],
    [128, 'FAIL', 'exit 128'],
    [129, 'ERROR', 'killed by signal 1'],
    [134, 'FAIL', 'crashed by signal 6'],
    [139, 'FAIL', 'crashed by signal 11'],
    [137, 'ERROR', 'killed by signal 9'],
    [143, 'ERROR', 'killed by signal 15'],
    [192, 'ERROR', 'killed by signal 64'],
    [193, 'FAIL', 'exit 193'],
    [255, 'FAIL', 'exit 255'],
  ]
  for (const [code, verdict, why] of table)
    assert.deepEqual(verdictOf(exit(code), 5_000), { verdict, why }, String(code))
})

test('a promise that timed out or was killed from outside is an ERROR, whatever it exited with', () => {
  for (const code of [0, 1, 143]) {
    assert.deepEqual(verdictOf(exit(code, true), 300_000), { verdict: 'ERROR', why: 'timed out after 5m' })
  }
  assert.deepEqual(verdictOf(null, 5_000), {
    verdict: 'ERROR',
    why: 'killed from outside before it ended',
  })
})

test('only exit 0 of a promise that was not stopped can pass', () => {
  for (let code = 0; code < 256; code += 1) {
    assert.equal(verdictOf(exit(code), 1).verdict === 'PASS', code === 0, String(code))
    assert.notEqual(verdictOf(exit(code, true), 1).verdict, 'PASS')
  }
})

test('an agent that exits non-zero has still ended by itself', () => {
  const table: [number, ReturnType<typeof endOf>][] = [
    [0, 'exited'],
    [1, 'exited'],
    [125, 'exited'],
    [126, 'unstartable'],
    [127, 'unstartable'],
    [128, 'exited'],
    [130, 'killed'],
    [137, 'killed'],
    [192, 'killed'],
    [193, 'exited'],
    [255, 'exited'],
  ]
  for (const [code, how] of table) {
    assert.equal(endOf(exit(code)), how, String(code))
    assert.equal(endOf(exit(code, true)), 'timeout', `${code}, timed out`)
  }
})

test('a runner that counts failures and exits 0 has not passed, unless the promise wants that', () => {
  const passed = { verdict: 'PASS', why: 'exit 0' } as const
  const counted = (command: string, failing: number | null, total?: number) =>
    withCounts(passed, command, { failing, total }).verdict
  assert.equal(counted('pytest -q', 2, 3), 'FAIL')
  assert.equal(counted('npm run build && npm test', 1, 9), 'FAIL')
  assert.equal(counted('pytest -q', 0, 3), 'PASS')
  assert.equal(counted('pytest -q', 2), 'PASS', 'no runner said how many it ran')
  assert.equal(counted('! pytest -q', 2, 3), 'PASS')
  assert.equal(counted('pytest -q || true', 2, 3), 'PASS')
  assert.equal(counted('pytest -q | grep -q failed', 2, 3), 'PASS')
  assert.equal(counted('"$LOOP_PROGRAM" check red --test "npm test"', 1, 3), 'PASS')
  const failed = { verdict: 'FAIL', why: 'exit 1' } as const
  assert.deepEqual(withCounts(failed, 'pytest', { failing: 1, total: 2 }), failed)
})
