/** The keys of the configuration, and the permitted values of each. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from '../../../src/options/setting.ts'
import type { Flag } from '../../../src/options/table/flag.ts'
import { startFlags } from '../../../src/options/table/start.ts'
import { expectedInstead } from '../../../src/options/values.ts'

test('every default of start is a key, an option of one loop alone is none', () => {
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
    web_ui_hosts: undefined,
    secret_names: undefined,
    shape_rule: 'fit',
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
