/**
 * unittest (Python 3.11), Mocha 11.8, CTest 3.25, RSpec 3.12 and PHPUnit 9.6, recorded like those of count.test.ts.
 * dotnet is not recorded: its texts follow its documentation. The expected counts follow from the project; in each
 * mixed project a test prints a summary of its own.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { failingCount } from '../../../../../src/core/text/test-output.ts'

const recordings: Record<string, [failing: number | null, project: string]> = {
  // 7 tests: 2 fail, setUp of 1 throws, 2 of 3 subtests fail, 1 is skipped, 1 is expected to fail.
  'unittest-mixed': [5, '2 fail, 1 error, 2 subtests fail'],
  'unittest-verbose': [5, 'the same, -v'],
  'unittest-quiet': [5, 'the same, -q'],
  'unittest-unexpected': [1, '2 tests that pass, 1 of them was expected to fail'],
  'unittest-load': [7, 'both, and a file that imports what is not there'],
  'unittest-pass': [0, '1 test'],
  'unittest-skipped': [0, '3 tests: 1 is skipped, 1 is expected to fail'],
  'unittest-nothing': [null, 'no test file'],
  'unittest-exits': [1, '2 tests, 1 fails, the second exits the process; -v'],
  // 7 tests: 2 fail, 1 is skipped, 1 is planned; the hook before 2 others throws.
  'mocha11-mixed': [3, '2 fail, 1 hook'],
  'mocha11-dot': [3, 'the same, reporter dot'],
  'mocha11-tap': [3, 'the same, reporter tap'],
  'mocha11-colour': [3, 'the same, colours forced'],
  'mocha11-pass': [0, '1 test'],
  'mocha11-nothing': [null, 'no test is called so'],
  'mocha11-load': [null, 'the only file imports what is not there, nothing runs'],
  'mocha11-exits': [null, '3 tests, 1 fails, the second exits the process'],
  // 7 tests: 2 fail, 1 has no program, 1 runs out of time, 1 is disabled, 1 is skipped.
  'ctest-mixed': [4, '2 fail, 1 cannot be started, 1 too slow'],
  'ctest-verbose': [4, 'the same, --output-on-failure'],
  'ctest-pass': [0, '1 test'],
  'ctest-nothing': [null, 'no test'],
  // 8 examples: 2 fail, the hook of 2 raises, 3 are pending.
  'rspec-mixed': [4, '2 fail, 2 by their hook'],
  'rspec-documentation': [4, 'the same, format documentation'],
  'rspec-colour': [4, 'the same, colours forced'],
  'rspec-pass': [0, '1 example'],
  'rspec-load': [1, 'a file requires what is not there: no example is run'],
  'rspec-hooks': [2, '1 example fails, and a hook after all of them'],
  'rspec-nothing': [null, 'no file'],
  'rspec-exits': [1, '2 examples, 1 fails, the second exits the process'],
  // 7 tests: 2 fail, 1 throws, 1 is skipped, 1 is incomplete, 1 is risky.
  'phpunit9-mixed': [3, '2 fail, 1 error'],
  'phpunit9-testdox': [3, 'the same, --testdox'],
  'phpunit9-colour': [3, 'the same, colours forced'],
  'phpunit9-pass': [0, '1 test'],
  'phpunit9-risky': [0, '3 tests: 1 is skipped, 1 is risky'],
  'phpunit9-nothing': [null, 'no test is called so'],
  'phpunit9-exits': [null, '2 tests, 1 fails, the second exits the process'],
  // Written, not recorded: 2 assemblies, 1 of 3 tests fails in the first; 5 tests, 2 fail.
  'ava6-mixed': [4, '6 tests, 4 fail, 1 is skipped'],
  'bun1-mixed': [3, '5 tests, 2 fail, 1 is skipped, 1 to do; and a file imports what is not there'],
  'bun1-colour': [3, 'the same, colours forced'],
  'deno2-mixed': [2, '4 tests, 1 fails, a step of another fails, 1 is ignored'],
  // Written: 4 tests, 1 fails, 1 throws, 1 is skipped.
  'maven3-mixed': [2, '1 failure, 1 error'],
  'gradle8-mixed': [2, 'the same'],
  'dotnet-mixed': [1, '2 assemblies, 1 test fails'],
  'dotnet-pass': [0, '1 assembly'],
  'dotnet9-mixed': [2, '5 tests, 2 fail; as a terminal is told since .NET 9'],
}

for (const [name, [expected, project]] of Object.entries(recordings)) {
  test(`${name}: ${project}`, () => {
    const text = readFileSync(join(import.meta.dirname, `../../../../recordings/runners/${name}.txt`), 'utf8')
    assert.equal(failingCount(text), expected)
    assert.equal(failingCount(text.replaceAll('\n', '\r\n')), expected, 'with carriage returns')
    assert.equal(failingCount(`building\n${text}\nexit 1\n`), expected, 'between other things')
  })
}

test('what was cut off before its summary is counted one by one', () => {
  const ctest =
    '2/7 Test #2: sum ....***Failed    0.01 sec\n6/7 Test #6: later ....***Not Run (Disabled)   0.00 sec\n'
  assert.equal(failingCount(ctest), 1)
  assert.equal(failingCount('  Failed App.Tests.Shop.Sum [3 ms]\n  Failed App.Tests.Shop.Sum [3 ms]\n'), 1)
})
