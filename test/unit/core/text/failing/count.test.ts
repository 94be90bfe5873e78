/**
 * How many tests fail, read from what runners really print. The recordings in test/recordings/runners were made
 * by running each tool, both streams into one file, on small projects written for it; directories were replaced
 * by /made-up/app. A number after the name of a runner is its version: Node 20.20 and 24.21, Jest 27.5, 29.7 and
 * 30.5, Vitest 0.34, 1.6, 2.1, 3.2, 4.1 and 5.1, pytest 7.2 and 9.0, cargo 1.65 and (where it says nothing) 1.95,
 * Go 1.19, prove 3.44, tape 5, tap 16.3 and 21.8. What is expected follows from the project, not from the output.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { failingCount } from '../../../../../src/core/text/test-output.ts'
import { tempDir } from '../../../../rig/given.ts'

const passing = `test('good', () => {})`
const failing = (name: string) => `test('${name}', () => { throw new Error('no') })`

/** The source of a test file, and how many of its tests fail. */
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
      // A process of its own for each file is what users have; without one the output is the same, but faster.
      const isolation = name === 'all sorts' ? 'process' : 'none'
      const flags = [`--test-reporter=${reporter}`, `--test-isolation=${isolation}`]
      const { stdout, status } = run(['--test', ...flags, file])
      assert.equal(status, fails > 0 ? 1 : 0, `${name}: ${stdout}`)
      assert.equal(failingCount(stdout), fails, `${name}: ${stdout}`)
    }
  })
}

function run(args: string[]): { stdout: string; status: number | null } {
  // With this variable node would report to the test runner of this very file.
  const { NODE_TEST_CONTEXT: _, FORCE_COLOR: __, ...env } = process.env
  return spawnSync(process.execPath, args, { encoding: 'utf8', env, timeout: 120_000 })
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

/** For each recording the number of failing tests, and the content of its project. */
const recordings: Record<string, [failing: number | null, project: string]> = {
  // 7 tests in two files: 2 fail, 1 is skipped, 1 is todo.
  'jest27-mixed': [2, '7 tests, 2 fail'],
  'jest29-mixed': [2, '7 tests, 2 fail'],
  'jest30-mixed': [2, '7 tests, 2 fail'],
  'jest30-colour': [2, 'the same, colours forced'],
  'jest30-verbose': [2, 'the same, --verbose'],
  'jest27-load': [4, '3 tests, 2 fail; a file imports what is not there, a file has a syntax error'],
  'jest29-load': [4, 'the same'],
  'jest30-load': [4, 'the same'],
  'jest30-load-only': [1, 'the only file throws while it is loaded'],
  'jest30-empty': [1, 'a file without a test, which Jest refuses'],
  'jest30-hooks': [2, '2 tests whose beforeAll throws'],
  'jest30-many-cut': [24, '23 tests that all fail, a file that does not load; 2 kB and 5.8 kB of its ends'],
  'jest30-pass': [0, '2 tests'],
  'jest30-nothing': [null, 'no test file'],
  'jest30-crash': [null, 'a test exits the process, and Jest with it'],
  'jest30-killed': [2, 'a file with 3 tests, 2 fail; killed while another ran'],
  // 7 tests in two files: 3 fail, 1 is skipped, 1 is todo.
  'vitest0.34-mixed': [3, '7 tests, 3 fail'],
  'vitest1-mixed': [3, '7 tests, 3 fail'],
  'vitest2-mixed': [3, '7 tests, 3 fail'],
  'vitest3-mixed': [3, '7 tests, 3 fail'],
  'vitest4-mixed': [3, '7 tests, 3 fail'],
  'vitest5-mixed': [3, '7 tests, 3 fail'],
  'vitest3-colour': [3, 'the same, colours forced'],
  'vitest3-dot': [3, 'the same, reporter dot'],
  'vitest3-tap': [3, 'the same, reporter tap'],
  'vitest3-tapflat': [3, 'the same, reporter tap-flat'],
  'vitest0.34-load': [4, '2 tests, both fail; a file imports what is not there, a file has a syntax error'],
  'vitest2-load': [4, 'the same'],
  'vitest3-load': [4, 'the same'],
  'vitest4-load': [4, 'the same'],
  'vitest5-load': [4, 'the same'],
  'vitest3-load-only': [1, 'the only file throws while it is loaded'],
  'vitest3-empty': [1, 'a file without a test, which Vitest refuses'],
  'vitest3-hooks': [1, '2 tests that are not run, because beforeAll throws'],
  'vitest5-hooks': [1, 'the same'],
  'vitest3-unhandled': [1, '2 tests that pass, and an error nobody catches'],
  'vitest5-unhandled': [1, 'the same'],
  'vitest3-crash': [1, '2 tests, 1 exits the process'],
  'vitest3-pass': [0, '2 tests'],
  'vitest3-nothing': [null, 'no test file'],
  'vitest3-killed': [2, 'a file with 3 tests, 2 fail; killed while another ran'],
  // 7 tests in two files: 2 fail, one of them in a suite, 1 is skipped, 1 is todo and throws.
  'node20-mixed-default': [2, '7 tests, 2 fail; TAP'],
  'node20-mixed-spec': [2, '7 tests, 2 fail'],
  'node24-mixed-spec': [2, '7 tests, 2 fail'],
  'node24-mixed-tap': [2, '7 tests, 2 fail'],
  'node24-mixed-dot': [2, '7 tests, 2 fail'],
  'node24-colour-spec': [2, '7 tests, 2 fail; colours forced'],
  'node24-load-spec': [1, '1 test; a file imports what is not there'],
  'node24-load-tap': [1, 'the same'],
  'node24-load-dot': [1, 'the same'],
  'node24-exits-spec': [1, '2 tests, 1 exits the process'],
  'node24-timeout-spec': [1, '4 tests, 1 takes too long and is cancelled'],
  'node24-timeout-tap': [1, 'the same'],
  'node24-nothing-spec': [0, 'no test file'],
  'node24-pass-dot': [null, '2 tests, and two dots say nothing'],
  'node24-killed': [2, '3 tests, 2 of a suite fail; killed while another file ran'],
  'node24-interrupted-tap': [null, 'a test that passes; interrupted while another ran'],
  // 9 tests in two files: 3 fail, the fixture of 1 throws, 1 is skipped, 1 is expected to fail.
  'pytest7-mixed': [4, '9 tests, 3 fail, 1 error'],
  'pytest9-mixed': [4, '9 tests, 3 fail, 1 error'],
  'pytest9-quiet': [4, 'the same, -q --tb=no'],
  'pytest9-qq': [4, 'the same, -qq: no summary'],
  'pytest9-verbose': [4, 'the same, -v'],
  'pytest9-colour': [4, 'the same, colours forced'],
  'pytest7-load': [2, '1 failing test, not run: a file imports what is not there, a file has a syntax error'],
  'pytest9-load': [2, 'the same'],
  'pytest9-load-on': [3, 'the same, --continue-on-collection-errors'],
  'pytest9-pass': [0, '2 tests'],
  'pytest9-deselected': [0, '9 tests, all but 1 that passes deselected'],
  'pytest9-nothing': [null, 'no test file'],
  'pytest9-conftest': [null, 'conftest.py cannot be loaded, nothing runs'],
  'pytest9-crash': [1, '2 tests, 1 fails, the second exits the process'],
  // Packages: 3 tests, 1 with 3 subtests of which 2 fail; 3 tests, the second panics; 1 passes; none.
  'go-mixed': [3, '2 subtests fail, 1 test panics'],
  'go-mixed-v': [3, 'the same, -v'],
  'go-json': [2, 'the first and third of the packages, -json'],
  'go-binary': [2, 'the first package, compiled and run by itself'],
  'go-build': [4, 'a package with 2 tests that fail; one does not compile, one imports what is not there'],
  'go-build-json': [4, 'the same, -json'],
  'go-fail': [1, '2 tests, 1 fails'],
  'go-exits': [1, '1 test that passes, but TestMain exits with 3'],
  'go-slow': [1, '2 tests, 1 runs into the timeout'],
  'go-pass': [0, '2 tests'],
  'go-pass-json': [0, '2 tests, -json'],
  'go-nothing': [null, 'a package without tests'],
  'go-not-a-module': [null, 'no Go module'],
  // Unit tests: 4, 2 fail, 1 is ignored. A test file: 2, 1 fails. A doc test: fails.
  'cargo-mixed': [2, 'it stops after the unit tests'],
  'cargo-quiet': [2, 'the same, -q'],
  'cargo-mixed-on': [4, '--no-fail-fast: 2 + 1 + 1'],
  'cargo165-mixed': [4, 'the same'],
  'cargo-colour': [4, 'the same, colours forced'],
  'cargo-workspace': [2, '2 crates with 2 tests each, 1 of each fails'],
  'cargo-abort': [1, '2 tests, 1 aborts the process'],
  'cargo-pass': [0, '1 test'],
  'cargo-build': [null, 'it does not compile'],
  'cargo-killed': [1, '3 tests, 1 fails, killed while the third ran'],
  // Files: 4 tests, 2 fail, 1 is todo; 2 tests, 1 holds 3 of which 2 fail; 1 test, then it dies.
  'prove-mixed': [4, 'prove counts a test that holds others as one: 2 + 1 + 1'],
  'prove-verbose': [4, 'the same, -v'],
  'prove-bail': [1, '3 tests planned, it bails out after the first'],
  'prove-pass': [0, '1 test'],
  'prove-skip-all': [null, 'all skipped'],
  'tap-perl': [4, 'the first two of the files, without prove: 2 + 2'],
  'tap-bail': [1, '3 tests planned, it bails out after the first'],
  'tap-skip-all': [null, 'all skipped'],
  'tape-mixed': [2, '4 assertions, 2 fail'],
  'tape-pass': [0, '1 assertion'],
  'tap16-tap': [2, 'two files, 5 assertions, 2 fail'],
  'tap21-tap': [2, 'the same'],
  'workspace-node24': [2, 'npm workspaces: 2 packages with 2 tests each, 1 of each fails'],
  'workspace-jest29-vitest3': [3, 'Jest: 2 tests, 1 fails; then Vitest: 2 tests, 2 fail'],
  'workspace-go-pytest9': [5, 'Go: 2 fail; pytest: 2 files cannot be loaded; Go: a package does not compile'],
}

for (const [name, [expected, project]] of Object.entries(recordings)) {
  test(`${name}: ${project}`, () => {
    const text = recorded(name)
    assert.equal(failingCount(text), expected)
    assert.equal(failingCount(text.replaceAll('\n', '\r\n')), expected, 'with carriage returns')
    assert.equal(failingCount(`building\n${text}exit 1\n`), expected, 'between other things')
  })
}

test('of a file that does not load, the summary is enough', () => {
  for (const name of ['jest30-load-only', 'vitest3-load-only']) {
    assert.equal(failingCount(recorded(name).slice(-200)), 1, name)
  }
})

test('a crate that does not compile counts where others have been tested', () => {
  const tested = 'running 1 test\n.\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n'
  const broken = 'error: could not compile `shop` (lib test) due to 2 previous errors\n'
  assert.equal(failingCount(tested + broken + broken), 1)
})

/** Words of runners, for texts that resemble their output. */
const fragments = [
  'Tests: ~Tests  ~Test Suites: ~Test Files  ~# tests ~ℹ fail ~# cancelled ~not ok ~    ~---',
  '...~ {~}~1..~TAP version 13~ok  \t~FAIL\t~FAIL ~--- FAIL: ~a/b ~(0.00s)~{"Action":"fail"',
  '"Package":"p"~"Test":"~\\~running ~ tests~test result: ok. ~ passed; ~ failed;~ failed~, ',
  ' | ~ in 0.1s~===~ total~a.py::~● ~✖ ~(1ms)~\u001B[~\u001B]~\u001B(B~\u0007~31m~\r~\n~\n~\n',
  '7~12~999999999999~\ud800',
].flatMap(row => row.split('~'))

test('whatever is printed, it is a count or nothing', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 3 })), {
    maxLength: 80,
  })
  fc.assert(
    fc.property(text, pieces => {
      const count = failingCount(pieces.join(''))
      return count === null || (Number.isInteger(count) && count >= 0)
    }),
  )
})

test('much of anything, in one line or in many, is read in time', () => {
  const letters = process.env['LOOP_LONG'] ? 2_000_000 : 400_000
  const lines = fragments.map(fragment => fragment.repeat(letters / fragment.length))
  const many = lines.map(line => `${line.slice(0, 999)}\n`.repeat(40)).join('')
  for (const text of [...lines, many]) assert.ok((failingCount(text) ?? 0) >= 0)
})

function recorded(name: string): string {
  return readFileSync(join(import.meta.dirname, `../../../../recordings/runners/${name}.txt`), 'utf8')
}
