/** The value of an option: that of the first layer that has one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flag } from '../../../src/options/table/flag.ts'
import { startFlags } from '../../../src/options/table/start.ts'
import {
  effectiveValue,
  environment,
  type FoundValue,
  type Layers,
  valuesOf,
} from '../../../src/options/values.ts'

const timeout: Flag = {
  name: 'timeout',
  takes: 'time',
  default: '5m',
  env: 'LOOP_TIMEOUT',
  config: true,
  help: '',
}
const order = ['flag', 'env', 'project', 'user', 'template'] as const

function saying(text: string): FoundValue {
  return { text, from: `from ${text}`, subject: `${text}: timeout` }
}

test('of every two layers the one that comes first holds, and each alone goes before the default', () => {
  for (const [i, above] of order.entries()) {
    assert.equal(effectiveValue(timeout, { [above]: () => saying(above) })?.text, above)
    for (const below of order.slice(i + 1)) {
      const layers: Layers = { [below]: () => saying(below), [above]: () => saying(above) }
      assert.deepEqual(effectiveValue(timeout, layers), saying(above), `${above} over ${below}`)
      assert.deepEqual(effectiveValue(timeout, { ...layers, [above]: () => null }), saying(below))
    }
  }
})

test('without any layer the default holds, and without a default nothing', () => {
  assert.deepEqual(effectiveValue(timeout, {}), { text: '5m', from: 'default', subject: '--timeout' })
  assert.equal(effectiveValue({ name: 'agent-cmd', takes: 'cmd', help: '' }, {}), null)
})

test('a variable is named where it is the source; an empty one is none', () => {
  const found = environment({ LOOP_TIMEOUT: '7m' })(timeout)
  assert.deepEqual(found, { text: '7m', from: '$LOOP_TIMEOUT', subject: 'LOOP_TIMEOUT' })
  assert.equal(environment({ LOOP_TIMEOUT: '' })(timeout), null)
  assert.equal(environment({ LOOP_TIMEOUT: '7m' })({ name: 'budget', help: '' }), null)
})

test('a switch is on when a file says so, unless the command line turns it off', () => {
  const file: Layers = { user: flag => (flag.name === 'no-baseline' ? saying('true') : null) }
  const typed = (value?: string) =>
    valuesOf(startFlags, new Map(value === undefined ? [] : [['no-baseline', [value]]]), { env: {} })
  assert.equal(typed().given('no-baseline'), false)
  assert.equal(typed().over(file).given('no-baseline'), true)
  assert.equal(typed('false').over(file).given('no-baseline'), false)
  assert.equal(typed('true').given('no-baseline'), true)
  const budget: Layers = { user: () => saying('3') }
  assert.equal(typed().over(budget).given('budget'), false, 'a value that is configured was not typed')
  assert.equal(typed().over(budget).value('budget'), '3')
})
