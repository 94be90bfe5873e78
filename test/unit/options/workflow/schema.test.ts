/** The published JSON Schema accepts and refuses the same files as the reader, as far as a schema can. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import * as z from 'zod'
import { fileKeys, workflowSchema } from '../../../../src/options/workflow/form.ts'
import { loopOptions } from '../../../../src/options/workflow/keys.ts'
import { atTop, inLoop, problemsOf } from '../../../rig/workflow-file.ts'

const schema = z.fromJSONSchema(workflowSchema() as Parameters<typeof z.fromJSONSchema>[0])

function fits(text: string): boolean {
  return schema.safeParse(parse(text)).success
}

const sound = [
  inLoop(''),
  inLoop('max-iterations: 3'),
  inLoop('max_iterations: unlimited'),
  inLoop('depends_on: []').replace('depends_on: []', 'timeout: 5m'),
  inLoop('matrix: {os: [linux, 18]}'),
  inLoop('outputs: [a, b]'),
  inLoop('outputs: {a: what it is, b: }'),
  inLoop('retry: {max: 2, on: [failed, stuck]}'),
  inLoop('best_of: 3'),
  inLoop('no_baseline: true'),
  inLoop('').replace('promise: npm test', 'promise: [a=npm test, npm test]'),
  atTop('vars: {a: , b: x, c: {default: 1, description: d, type: command}}'),
  atTop('env: {A: b, C: 5}'),
  atTop('budget: 25'),
  atTop('budget: none'),
  atTop('defaults: {agent: claude, context_mode: fresh}'),
  atTop('on_complete: echo\non_failure: [echo, echo]'),
]

const broken = [
  'name: a\n',
  inLoop('prmpt: x'),
  inLoop('background: true'),
  inLoop('best_of: 9'),
  inLoop('retry: {on: failed}'),
  inLoop('retry: {max: 1, on: never}'),
  inLoop('matrix: {os: []}'),
  inLoop('context_mode: maybe'),
  inLoop('').replace('id: build', 'ids: build'),
  atTop('agent: claude'),
  atTop('env: {LOOP_X: a}'),
  atTop('vars: {a__b: x}'),
  atTop('vars: {a: {defalt: x}}'),
  atTop('loops: []').replace(/\nloops:\n[^]*/, '\n'),
]

test('what the reader takes fits, what it refuses for its form does not', () => {
  for (const text of sound) {
    assert.deepEqual(problemsOf(text), [], text)
    assert.ok(fits(text), text)
  }
  for (const text of broken) {
    assert.notDeepEqual(problemsOf(text), [], text)
    assert.ok(!fits(text), text)
  }
})

test('every key and option is in it, with what it is', () => {
  const { properties } = workflowSchema() as {
    properties: Record<string, { description: string; items: never }>
  }
  assert.deepEqual(
    Object.keys(properties),
    fileKeys('top').map(({ name }) => name),
  )
  const { items } = properties['loops'] as { items: { properties: Record<string, { description: string }> } }
  for (const { name } of [...fileKeys('loop'), ...loopOptions])
    assert.ok(items.properties[name]?.description, name)
})
