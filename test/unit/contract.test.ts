/** The list of what was promised to programs (scripts/contract): it only grows, and what is gone is named. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { broken, contractNow, withNew } from '../../scripts/contract.ts'
import { root } from '../rig/rig.ts'

const now = contractNow()

test('a field, an exit code or a key that is gone or has changed is named; a new one is only added', () => {
  const before = { 'document x': ['a string', 'b integer'], 'exit codes': ['failed 1'] }
  const later = { 'document x': ['a string', 'b string', 'c string'], 'document y': ['d string'] }
  assert.deepEqual(broken(before, later), ['document x: b integer', 'exit codes: failed 1'])
  assert.deepEqual(broken(before, withNew(before, later)), [])
  assert.deepEqual(withNew(before, later)['document x'], ['a string', 'b integer', 'b string', 'c string'])
})

test('the list has documents, events of both machines, keys, exit codes and the numbers of the store', () => {
  const has = (subject: string, line: string) =>
    assert.ok(now[subject]?.includes(line), `${subject}: ${line}`)
  has('document list', '[].id string')
  has('event loop.completed', 'data object')
  has('event group.created', 'data object')
  has('configuration keys', 'max_concurrent_loops')
  has('exit codes', 'no-daemon 5')
  has('exit codes', 'suspect 1')
  has('store', 'version 100')
})

test('what was promised is still there', () => {
  const promised = JSON.parse(readFileSync(join(root, 'docs/reference/contract.json'), 'utf8'))
  assert.deepEqual(broken(promised, now), [])
})
