/** The names and errors of failed tests, from recordings of real output of the runners. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { failedTests } from '../../../../../src/core/text/test-output.ts'

const recording = (name: string) =>
  readFileSync(new URL(`../../../../recordings/runners/${name}.txt`, import.meta.url), 'utf8')

/** The tests of the recorded projects; a file that does not load is named by its path. */
const known: Record<string, string[]> = {
  'node24-mixed-spec': ['adds badly: assertion', 'throws: error'],
  'node20-mixed-spec': ['adds badly: assertion', 'throws: error'],
  'node24-mixed-tap': ['adds badly: assertion', 'throws: error'],
  'node24-colour-spec': ['adds badly: assertion', 'throws: error'],
  'node24-load-spec': ['a.test.mjs: load'],
  'node24-load-tap': ['a.test.mjs: load'],
  'tape-mixed': ['adds: assertion', 'throws: assertion'],
  'tape-titles': ['adds the prices: assertion', 'ships for free: assertion'],
  'mocha11-tap': [
    'shop inner "before each" hook for "any": error',
    'shop prints: error',
    'shop sum: assertion',
  ],
  'tap-perl': ['bad in too: assertion', 'bad in: assertion', 'bad too: assertion', 'bad: assertion'],
  'jest30-mixed': ['is neutral: assertion', 'throws: error'],
  'jest27-mixed': ['is neutral: assertion', 'throws: error'],
  'jest29-load': ['./b.test.js: load', './c.test.js: load', 'one: assertion', 'three: assertion'],
  'vitest5-mixed': ['is neutral: assertion', 'is zero: assertion', 'throws: error'],
  'vitest3-load': ['b.test.ts: load', 'c.test.ts: load', 'one: assertion', 'three: assertion'],
  'mocha11-mixed': ['"before each" hook for "any": error', 'prints: error', 'sum: assertion'],
  'pytest9-mixed': ['test_adds_badly: assertion', 'test_even: assertion', 'test_stored: error'],
  'pytest7-load': ['test_b.py: load', 'test_c.py: load'],
  'unittest-mixed': [
    'test_any: error',
    'test_prints: assertion',
    'test_rows: assertion',
    'test_sum: assertion',
  ],
  'unittest-load': [
    'test_any: error',
    'test_prints: assertion',
    'test_rows: assertion',
    'test_sum: assertion',
    'test_three: load',
  ],
  'go-mixed': ['TestBoom: error', 'TestTable/five: assertion', 'TestTable/four: assertion'],
  'go-build': [
    'TestB: assertion',
    'TestOther: assertion',
    'example.com/shop/a: load',
    'example.com/shop/c: load',
  ],
  'cargo-mixed': ['adds_badly: assertion', 'unwraps: error'],
  'cargo-build': ['shop: load'],
}

for (const [name, expected] of Object.entries(known)) {
  test(`${name}: which tests failed, and how`, () => {
    const found = failedTests(recording(name)) ?? []
    assert.deepEqual(found.map(one => `${one.name}: ${one.how}`).toSorted(), expected.toSorted())
  })
}

for (const name of [
  'node24-nothing-spec',
  'jest30-pass',
  'vitest3-pass',
  'pytest9-pass',
  'go-pass',
  'cargo-pass',
]) {
  test(`${name}: none failed`, () => {
    assert.deepEqual(failedTests(recording(name)), [])
  })
}

test('what no runner printed has no tests', () => {
  assert.equal(failedTests('all fine\nok\n'), null)
})
