/**
 * The difficulty of reversing a change, by the words of the request; misleading words, and words that must not be
 * missed.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reversibility } from '../../../src/core/reversibility.ts'
import { cpuMs } from '../../rig/cpu.ts'

const rows: [string, string][] = [
  // The examples of the specification.
  ['config changes', '2A'],
  ['rename the helper', '2A'],
  ['upgrade dependencies', '2B'],
  ['refactor the cart', '2B'],
  ['schema changes', '1'],
  ['change the public API', '1'],
  ['write the migration', '1'],
  // The dangerous thing is left alone.
  ['speed it up, do not change the schema', '2B'],
  ['add a flag without touching the public API', '2B'],
  ['keep the public interface as is and fix the cart', '2B'],
  ['no schema changes, add a cache', '2B'],
  // The dangerous thing is not left alone, though the words come close.
  ['never lose data while you migrate the users table', '1'],
  ['no longer support the v1 public API', '1'],
  ['keep going until the migration is written', '1'],
  ['do not stop before the database is converted', '1'],
  ['without downtime, drop the table legacy_orders', '1'],
  // The dangerous thing is only mentioned.
  ['add a validation schema to the form', '2B'],
  ['log when a migration fails', '2B'],
  ['fix a typo in the docs', '2A'],
  ['document the public API', '2A'],
  // Deleted, or beyond our control.
  ['remove the /v1 endpoints', '1'],
  ['publish it to the registry', '1'],
]
for (const [prompt, type] of rows) {
  test(`"${prompt}" is type ${type}`, () => assert.equal(reversibility(prompt), type))
}

test('a long text that keeps every pattern busy is judged quickly', () => {
  const long = `${'do not change '.repeat(20_000)}${'drop the '.repeat(20_000)}table`
  const took = cpuMs(() => assert.equal(reversibility(long), '1'))
  assert.ok(took < 5_000, `${took} ms`)
})
