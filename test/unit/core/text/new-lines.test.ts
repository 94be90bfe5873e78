/** The lines of an output that the one before did not have, for a command whose failures nothing names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { newLines } from '../../../../src/core/text/failed-output.ts'

test('only what is new is told, once, whatever its colour or its numbers', () => {
  const before = 'checking 3 files in 12ms\nprices: ok\n'
  const now = 'checking 3 files in 97ms\n\u001B[31mtaxes:   wrong\u001B[0m\nprices: ok\ntaxes: wrong\n\n'
  assert.deepEqual(newLines(now, before), ['taxes: wrong'])
  assert.deepEqual(newLines(before, before), [])
  assert.deepEqual(newLines('', before), [])
})

test('of many new lines the first are told, each of them cut', () => {
  const now = Array.from('abcdefghijklmnopqrstuvwxyz', letter => letter.repeat(500)).join('\n')
  const found = newLines(now, '')
  assert.deepEqual(
    found.map(line => line[0]),
    [...'abcdefgh'],
  )
  assert.ok(found.every(line => line.length === 200))
})

test('of two outputs with the same lines nothing is new', () => {
  const lines = fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 20 })
  fc.assert(
    fc.property(lines, lines, (some, others) => {
      const both = [...some, ...others].join('\n')
      return newLines(some.join('\n'), both).length === 0 && newLines(both, both).length === 0
    }),
  )
})
