/** Finds the JSON in the last message of an agent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonIn } from '../../../../src/core/answer.ts'
import { cpuMs } from '../../../rig/cpu.ts'

const rows: [string, string, string | null][] = [
  ['the whole message', ' {"a": 1}\n', '{"a": 1}'],
  ['a block', 'Here it is:\n```json\n{"a": 1}\n```\nThat is all.', '{"a": 1}'],
  ['the last of several blocks', '```json\n{"a": 1}\n```\nNo, rather:\n```json\n{"a": 2}\n```', '{"a": 2}'],
  ['a block of another language is none', '```js\nf({})\n```\n```\n{"a": 3}\n```', '{"a": 3}'],
  ['a block with mistakes is judged, not passed over', '```json\n{"a": }\n```', '{"a": }'],
  ['an object in text', 'I answer {"a": {"b": 2}} and stop.', '{"a": {"b": 2}}'],
  ['the widest object', 'so: {"a": [ {"b": 1}, {"c": 2} ]}', '{"a": [ {"b": 1}, {"c": 2} ]}'],
  ['none', 'All criteria are met.', null],
  ['braces that are no JSON', 'function f() { return {} }', null],
  ['an empty message', '', null],
]

test('the last JSON of a message', () => {
  for (const [name, message, json] of rows) assert.equal(jsonIn(message), json, name)
})

test('a hostile message is read in bounded time', () => {
  const took = cpuMs(() => assert.equal(jsonIn(`${' {'.repeat(200_000)} }`), '{ }'))
  assert.ok(took < 2_000, `${took} ms`)
})
