/**
 * The number of tests that ran, read from real output of the runners: the recordings of count.test.ts. The expected
 * counts follow from the projects described there, not from the output.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testCounts, testTotal } from '../../../../../src/core/text/test-output.ts'

const recordings: Record<string, [total: number | null, project: string]> = {
  'jest27-mixed': [5, '7 tests, 1 skipped, 1 todo'],
  'jest30-mixed': [5, '7 tests, 1 skipped, 1 todo'],
  'jest30-colour': [5, 'the same, colours forced'],
  'jest30-pass': [2, '2 tests'],
  'jest30-nothing': [null, 'no test file'],
  'vitest0.34-mixed': [5, '7 tests, 1 skipped, 1 todo'],
  'vitest3-mixed': [5, 'the same'],
  'vitest5-mixed': [5, 'the same'],
  'vitest3-colour': [5, 'the same, colours forced'],
  'vitest3-pass': [2, '2 tests'],
  'node20-mixed-default': [5, '7 tests, 1 skipped, 1 todo; TAP'],
  'node24-mixed-spec': [5, '7 tests, 1 skipped, 1 todo'],
  'node24-mixed-tap': [5, 'the same'],
  'node24-colour-spec': [5, 'the same, colours forced'],
  'node24-timeout-spec': [4, '4 tests, 1 is cancelled'],
  'node24-nothing-spec': [0, 'no test file'],
  'pytest7-mixed': [7, '9 tests, 1 skipped, the fixture of 1 throws'],
  'pytest9-mixed': [7, 'the same'],
  'pytest9-quiet': [7, 'the same, -q'],
  'pytest9-colour': [7, 'the same, colours forced'],
  'pytest9-qq': [null, 'the same, -qq: no summary'],
  'pytest9-deselected': [1, '9 tests, all but 1 deselected'],
  'pytest9-pass': [2, '2 tests'],
  'pytest9-nothing': [null, 'no test file'],
  'go-mixed': [null, 'go test counts nothing that passes'],
  'go-mixed-v': [8, '2 tests and 3 subtests, 1 skipped; 2 up to a panic; 1'],
  'go-json': [6, 'the first and third of the packages, -json'],
  'go-pass-json': [2, '2 tests, -json'],
  'cargo-mixed': [3, '4 unit tests, 1 ignored; it stops there'],
  'cargo-mixed-on': [6, '3 + 2 + 1'],
  'cargo-colour': [6, 'the same, colours forced'],
  'cargo-workspace': [4, '2 crates with 2 tests each'],
  'cargo-pass': [1, '1 test'],
  'cargo-build': [null, 'it does not compile'],
  'prove-mixed': [7, '4 + 2 + 1'],
  'prove-pass': [1, '1 test'],
  'tape-mixed': [4, '4 assertions'],
  'tape-pass': [1, '1 assertion'],
  'tap21-tap': [5, 'two files, 5 assertions'],
  'workspace-node24': [4, '2 packages with 2 tests each'],
  'workspace-jest29-vitest3': [4, 'Jest: 2 tests; then Vitest: 2 tests'],
}

for (const [name, [expected, project]] of Object.entries(recordings)) {
  test(`${name}: ${project}`, () => {
    const text = readFileSync(join(import.meta.dirname, `../../../../recordings/runners/${name}.txt`), 'utf8')
    assert.equal(testTotal(text, true), expected)
    assert.equal(testTotal(text.replaceAll('\n', '\r\n'), true), expected, 'with carriage returns')
    assert.equal(testTotal(`building\n${text}exit 1\n`, true), expected, 'between other things')
  })
}

test('plain TAP is counted one by one, and only where all of it is there', () => {
  const text = 'ok 1 - a\nnot ok 2 - b\nok 3 # SKIP no net\n1..3\n'
  assert.equal(testTotal(text, true), 2)
  assert.equal(testTotal(text, false), null)
})

const leftOut: [name: string, skipped: number][] = [
  ['jest30-mixed', 2],
  ['vitest3-mixed', 2],
  ['node24-mixed-spec', 2],
  ['node24-mixed-tap', 2],
  ['pytest9-deselected', 8],
  ['pytest9-pass', 0],
]

test('what was left out is counted apart: skipped, to do, deselected', () => {
  for (const [name, skipped] of leftOut) {
    const text = readFileSync(join(import.meta.dirname, `../../../../recordings/runners/${name}.txt`), 'utf8')
    assert.equal(testCounts(text, true)?.skipped, skipped, name)
  }
})

const said: [what: string, text: string, run: number, skipped: number][] = [
  ['unittest', 'Ran 7 tests in 0.001s\n\nFAILED (failures=1, skipped=2, expected failures=1)\n', 4, 3],
  ['unittest, all well', 'Ran 2 tests in 0.000s\n\nOK\n', 2, 0],
  ['mocha', '  3 passing (12ms)\n  1 pending\n  2 failing\n', 5, 1],
  ['RSpec', '5 examples, 1 failure, 2 pending\n', 3, 2],
  ['PHPUnit', 'Tests: 7, Assertions: 9, Failures: 1, Skipped: 2, Incomplete: 1.\n', 4, 3],
  ['PHPUnit, all well', 'OK (3 tests, 5 assertions)\n', 3, 0],
  ['dotnet', 'Failed!  - Failed:     1, Passed:     3, Skipped:     2, Total:     6, Duration: 9 ms\n', 4, 2],
  [
    'cargo',
    'test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 1 filtered out; finished in 0.00s\n',
    3,
    3,
  ],
]

test('the summaries of further runners', () => {
  for (const [what, text, run, skipped] of said)
    assert.deepEqual(testCounts(text, false), { run, skipped }, what)
})

test('a runner that prints no number of passed tests prints the total', () => {
  assert.deepEqual(testCounts('1..3\n# tests 3\n# fail 0\n', true), { run: 3, skipped: 0 })
  assert.deepEqual(testCounts('1..3\n# tests 3\n# fail 3\n', true), { run: 3, skipped: 0 })
  assert.deepEqual(testCounts('# tests 5\n# fail 1\n# skipped 2\n', true), { run: 3, skipped: 2 })
})
