/** Which value of a key holds, and what a value may be. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commands } from '../../../src/cli/command-table.ts'
import { inputOf } from '../../../src/cli/options/flags.ts'
import { environment, type FoundValue, type Layers, resolve, settings } from '../../../src/options/setting.ts'
import { type Flag, startFlags } from '../../../src/options/table/flag.ts'
import { expectedInstead } from '../../../src/options/value.ts'

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
    assert.equal(resolve(timeout, { [above]: () => saying(above) })?.text, above)
    for (const below of order.slice(i + 1)) {
      const layers: Layers = { [below]: () => saying(below), [above]: () => saying(above) }
      assert.deepEqual(resolve(timeout, layers), saying(above), `${above} over ${below}`)
      assert.deepEqual(resolve(timeout, { ...layers, [above]: () => null }), saying(below))
    }
  }
})

test('without any layer the default holds, and without a default nothing', () => {
  assert.deepEqual(resolve(timeout, {}), { text: '5m', from: 'default', subject: '--timeout' })
  assert.equal(resolve({ name: 'agent-cmd', takes: 'cmd', help: '' }, {}), null)
})

test('a variable is named where it is the source; an empty one is none', () => {
  const found = environment({ LOOP_TIMEOUT: '7m' })(timeout)
  assert.deepEqual(found, { text: '7m', from: '$LOOP_TIMEOUT', subject: 'LOOP_TIMEOUT' })
  assert.equal(environment({ LOOP_TIMEOUT: '' })(timeout), null)
  assert.equal(environment({ LOOP_TIMEOUT: '7m' })({ name: 'budget', help: '' }), null)
})

test('every default of start is a key, what belongs to one loop alone is none', () => {
  const keys = settings.map(({ key }) => key)
  for (const key of [
    'max_iterations',
    'agent',
    'agent_cmd',
    'checkpoint',
    'timeout',
    'budget',
    'no_baseline',
  ])
    assert.ok(keys.includes(key), key)
  for (const flag of startFlags) if (flag.default) assert.ok(flag.config, `${flag.name} has a default`)
  for (const key of ['promise', 'cwd', 'dry_run', 'json', 'trust', 'help'])
    assert.ok(!keys.includes(key), key)
  const defaults = Object.fromEntries(settings.filter(one => !one.project).map(one => [one.key, one.default]))
  assert.deepEqual(defaults, {
    max_concurrent_loops: '4',
    checkpoint_retention: '24h',
    output_retention: '30d',
    notification_cmd: 'notify-send',
    webhook: undefined,
    min_free_disk: '200MB',
    web_ui_port: '7777',
  })
})

test('the default of every key is a value that the key takes', () => {
  for (const setting of settings) {
    if (setting.default !== undefined)
      assert.equal(expectedInstead(setting, setting.default), null, setting.key)
  }
})

const number = 'a whole number of at least 1'

test('what a value may be is said by the word that stands for it', () => {
  const rows: [string | undefined, string[], string[], string][] = [
    ['N', ['1', '20', 'unlimited'], ['0', '-1', '1.5', '', 'many', '1e3'], `${number}, or unlimited`],
    ['count', ['1', '20'], ['0', 'unlimited', ''], number],
    ['time', ['90s', '5m', '1h30m', '300'], ['0', 'soon', '', '5 m', '-5m'], 'a time like 90s, 5m or 1h30m'],
    ['size', ['2GB', '500'], ['0', 'big', ''], 'a size like 500MB or 2GB'],
    [
      'USD',
      ['25', '2.50', '$3', 'none'],
      ['0', '-3', 'lots', ''],
      'an amount in dollars like 25 or 2.50, or none',
    ],
    ['port', ['1', '7777', '65535'], ['0', '65536', '080', 'http', ''], 'a port from 1 to 65535'],
    ['git|none', ['git', 'none'], ['zfs', '', 'git|none'], 'git or none'],
    ['a|b|c-d', ['a', 'c-d'], ['d'], 'a, b or c-d'],
    [undefined, ['true', 'false'], ['yes', '', '1'], 'true or false'],
    ['cmd', ['x', 'two\nlines'], ['', ' \n', 'a\0b'], 'a text, not empty'],
  ]
  for (const [takes, good, bad, expected] of rows) {
    const flag: Flag = { name: 'x', help: '', ...(takes && { takes }) }
    for (const text of good) assert.equal(expectedInstead(flag, text), null, `${takes}: ${text}`)
    for (const text of bad) assert.equal(expectedInstead(flag, text), expected, `${takes}: ${text}`)
  }
})

test('a switch is on when a file says so, unless the command line turns it off', () => {
  const start = commands.find(({ name }) => name === 'start')?.flags ?? []
  const file: Layers = { user: flag => (flag.name === 'no-baseline' ? saying('true') : null) }
  const typed = (value?: string) =>
    inputOf(start, new Map(value === undefined ? [] : [['no-baseline', [value]]]), {
      positionals: [],
      env: {},
    })
  assert.equal(typed().given('no-baseline'), false)
  assert.equal(typed().over(file).given('no-baseline'), true)
  assert.equal(typed('false').over(file).given('no-baseline'), false)
  assert.equal(typed('true').given('no-baseline'), true)
  const budget: Layers = { user: () => saying('3') }
  assert.equal(typed().over(budget).given('budget'), false, 'a value that is configured was not typed')
  assert.equal(typed().over(budget).value('budget'), '3')
})
