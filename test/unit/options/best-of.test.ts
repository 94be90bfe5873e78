/** From the options of a start to a group: its fields, and a sentence for each way to get it wrong. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import type { GroupSpec } from '../../../src/model/group/spec.ts'
import type { Spec } from '../../../src/model/loop/spec.ts'
import { groupFrom } from '../../../src/options/best-of.ts'
import { groupFlags } from '../../../src/options/table/group.ts'
import { startFlags } from '../../../src/options/table/start.ts'
import { valuesOf } from '../../../src/options/values.ts'
import { aSpec } from '../../rig/given.ts'
import { madeUpMachine } from '../../rig/made-up-system.ts'

type Options = Record<string, string>

function asked(options: Options, spec: Partial<Spec> = {}, files: Record<string, string> = {}) {
  const given = Object.entries(options).map(([name, value]): [string, string[]] => [name, [value]])
  const system = madeUpMachine({
    files,
    entries: () => Object.keys(files).map(file => file.slice('/tree/'.length)),
  })
  const values = valuesOf(startFlags, new Map(given), { env: system.env })
  return groupFrom(values, aSpec({ checkpoint: 'git', ...spec }), { parallel: 4, system })
}

function groupOf(options: Options, spec: Partial<Spec> = {}): GroupSpec {
  const found = asked(options, spec)
  assert.ok(found.ok && found.value)
  return found.value
}

test('nothing of a group was asked for: there is none', () => {
  assert.deepEqual(asked({}), { ok: true, value: null })
})

test('every option has its field', () => {
  const rows: [Options, Partial<NonNullable<GroupSpec['bestOf']>>][] = [
    [{ 'best-of': '3' }, { attempts: 3 }],
    [{ isolated: 'true' }, { attempts: 1 }],
    [{ 'best-of': '2', 'copy-setup': 'npm ci' }, { copySetup: 'npm ci' }],
    [
      { 'best-of': '2', 'best-of-waves': '2' },
      { attempts: 2, waves: 2 },
    ],
    [{ 'best-of': '2', 'best-of-manual': 'true' }, { isManual: true }],
    [{ 'best-of': '2', 'best-of-judge': 'true' }, { judge: true }],
    [{ 'best-of': '2', 'first-wins': 'true' }, { firstWins: true }],
    [
      { 'best-of': '2', 'best-of-metric': 'min:wc -c < a' },
      { metric: { command: 'wc -c < a', better: 'less' } },
    ],
    [{ 'best-of': '2', 'best-of-metric': 'max:echo 1' }, { metric: { command: 'echo 1', better: 'more' } }],
  ]
  for (const [options, fields] of rows) {
    const { bestOf } = groupOf(options)
    for (const [field, value] of Object.entries(fields))
      assert.deepEqual(bestOf?.[field as keyof typeof bestOf], value, JSON.stringify(options))
  }
  assert.equal(groupOf({ 'best-of': '2', 'serial-promise': 'true' }).bestOf?.loop.serialPromise, true)
  const covered = new Set(['serial-promise', ...rows.flatMap(([options]) => Object.keys(options))])
  assert.deepEqual(
    groupFlags.filter(({ name }) => !covered.has(name)),
    [],
  )
})

test('one budget for all; what runs after the end is of the group and not of each attempt', () => {
  const hooks = { complete: 'true', timeoutMs: 1 }
  const group = groupOf({ 'best-of': '2' }, { budgetUsd: 7, hooks })
  assert.deepEqual([group.budgetUsd, group.hooks, group.bestOf?.loop.hooks], [7, hooks, undefined])
})

test('what the project has to measure a result comes by itself; of one attempt nothing is measured', () => {
  const files = { '/tree/package.json': JSON.stringify({ scripts: { lint: 'eslint .' } }) }
  const found = asked({ 'best-of': '2' }, {}, files)
  assert.ok(found.ok)
  assert.deepEqual(
    found.value?.bestOf?.measures?.map(({ name }) => name),
    ['lint'],
  )
  const isolated = asked({ isolated: 'true' }, {}, files)
  assert.ok(isolated.ok)
  assert.equal(isolated.value?.bestOf?.measures, undefined)
})

test('each mistake has its sentence', () => {
  const rows: [Options, Partial<Spec>, RegExp][] = [
    [{ 'best-of': '1' }, {}, /a number from 2 to 8, not 1/],
    [{ 'best-of': '9' }, {}, /a number from 2 to 8, not 9/],
    [{ 'best-of': 'many' }, {}, /not many/],
    [{ 'best-of': '2', isolated: 'true' }, {}, /leave --isolated out/],
    [{ 'best-of': '2', 'best-of-waves': '3' }, {}, /takes 1 or 2/],
    [{ 'best-of': '2', 'best-of-metric': 'wc -c' }, {}, /min:<command> or max:<command>/],
    [{ 'best-of': '2', 'best-of-manual': 'true', 'first-wins': 'true' }, {}, /exclude each other/],
    [{ 'best-of': '2', 'best-of-judge': 'true', 'first-wins': 'true' }, {}, /judge and --first-wins exclude/],
    [{ 'best-of-judge': 'true' }, {}, /--best-of-judge is about --best-of/],
    [{ 'first-wins': 'true' }, {}, /--first-wins is about --best-of/],
    [{ 'best-of': '2' }, { checkpoint: 'none' }, /need checkpoints/],
    [{ 'best-of': '2', session: 'true' }, {}, /--session works in your own tree/],
    [
      { 'best-of': '2' },
      { criteria: [{ name: 'x', command: null, verification: 'observation' }] },
      /told apart by a command/,
    ],
  ]
  for (const [options, spec, words] of rows) {
    const found = asked(options, spec)
    assert.ok(!found.ok, JSON.stringify(options))
    assert.match(failureWords(found.failure), words)
  }
})
