/** How many tests fail, read from what node --test really prints, and from plain TAP. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { failingCount } from '../../src/core/text/failing.ts'
import { tempDir } from './given.ts'

const passing = `test('good', () => {})`
const failing = (name: string) => `test('${name}', () => { throw new Error('no') })`

/** The tests of a file, and how many of them fail. */
const files: Record<string, { fails: number; tests: string[] }> = {
  pass: { fails: 0, tests: [passing] },
  fail: { fails: 2, tests: [failing('one'), failing('two')] },
  mixed: { fails: 1, tests: [passing, failing('one'), passing] },
  skip: { fails: 0, tests: [passing, `test('later', { skip: true }, () => { throw new Error('no') })`] },
  todo: { fails: 0, tests: [`test('planned', { todo: true }, () => { throw new Error('no') })`] },
  'all sorts': {
    fails: 1,
    tests: [
      passing,
      failing('one'),
      `test('later', { skip: 'why' }, () => {})`,
      `test('planned', { todo: true }, () => { throw new Error('no') })`,
      `test('says more', () => { console.log('not ok 7 - printed by a test') })`,
    ],
  },
}

for (const reporter of ['spec', 'tap']) {
  test(`node --test, reporter ${reporter}`, t => {
    const dir = tempDir(t)
    for (const [name, { fails, tests }] of Object.entries(files)) {
      const file = join(dir, 'some.test.mjs')
      writeFileSync(file, [`import { test } from 'node:test'`, ...tests].join('\n'))
      // A process of its own for the file is what users have; without one it prints the same, sooner.
      const isolation = name === 'all sorts' ? 'process' : 'none'
      const flags = [`--test-reporter=${reporter}`, `--test-isolation=${isolation}`]
      const { stdout, status } = run(['--test', ...flags, file])
      assert.equal(status, fails > 0 ? 1 : 0, `${name}: ${stdout}`)
      assert.equal(failingCount(stdout), fails, `${name}: ${stdout}`)
    }
  })
}

function run(args: string[]): { stdout: string; status: number | null } {
  // Without this variable node would report to the test runner of this very file.
  const { NODE_TEST_CONTEXT: _, FORCE_COLOR: __, ...env } = process.env
  return spawnSync(process.execPath, args, { encoding: 'utf8', env, timeout: 20_000 })
}

test('plain TAP', () => {
  const table: [string, string[], number][] = [
    ['version line', ['TAP version 14', '1..1', 'ok 1'], 0],
    ['plan alone', ['1..3', 'ok 1 - a', 'not ok 2 - b', 'not ok 3'], 2],
    ['plan at the end', ['not ok 1 - a', 'ok 2', '1..2'], 1],
    ['todo and skip', ['1..3', 'not ok 1 - a # TODO later', 'not ok 2 # skip no net', 'not ok 3'], 1],
    ['todo without a space', ['1..2', 'not ok 1 - a #TODO', 'not ok 2 - b #  todo'], 0],
    ['a number sign in a name', ['1..2', 'not ok 1 - issue #12', 'not ok 2 - # TODOs are kept'], 2],
    [
      'subtests',
      ['TAP version 14', '# Subtest: a', '    not ok 1 - b', '    1..1', 'not ok 1 - a', '1..1'],
      1,
    ],
    ['a longer word', ['1..1', 'not okay'], 0],
  ]
  for (const [name, lines, fails] of table) assert.equal(failingCount(`${lines.join('\n')}\n`), fails, name)
})

test('where no runner is recognised nothing is said', () => {
  const texts = [
    '',
    'all good',
    '3 failing',
    'not ok',
    'ok 1',
    'fail 3',
    '# fail 3',
    'ℹ tests 3',
    'page 1..3 of 9',
  ]
  for (const text of texts) assert.equal(failingCount(`${text}\n`), null, text)
})
