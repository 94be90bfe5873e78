/**
 * What fails, for people and agents: the name, the place and the error in one line. The outputs are those of
 * failed-tests.test.ts; what is expected follows from the recorded projects: which line of which file asserts what.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { failingTests } from '../../../../../src/core/text/test-output.ts'

const recording = (name: string) =>
  readFileSync(new URL(`../../../../recordings/runners/${name}.txt`, import.meta.url), 'utf8')

const inApp = (text: string) =>
  failingTests(text, '/made-up/app').map(
    ({ name, file, line, said }) => `${name} | ${file ?? '?'}:${line ?? '?'} | ${said}`,
  )

const mixedNode = ['adds badly | sum.test.mjs:4 | expected 4, got 3']
const mixedJest = [
  'is neutral | sum.test.js:5 | expected 6, got 5',
  'throws | text.test.js:2 | TypeError: can not read the file',
]
const mixedVitest = [
  'is neutral | sum.test.ts:5 | expected 5 to be 6 // Object.is equality',
  'is zero | sum.test.ts:6 | expected +0 to be 1 // Object.is equality',
  'throws | text.test.ts:3 | TypeError: can not read the file',
]
const mixedPytest = [
  'test_stored | test_text.py:5 | RuntimeError: no database',
  'test_adds_badly | test_sum.py:7 | assert (1 + 2) == 4',
  'test_even[1] | test_sum.py:20 | assert (1 % 2) == 0',
  'test_even[3] | test_sum.py:20 | assert (3 % 2) == 0',
]
const four = 'TestTable/four | cart_test.go:15 | got 3, want 4'
const five = 'TestTable/five | cart_test.go:15 | got 3, want 5'
const boom = 'TestBoom | boom/boom_test.go:9 | panic: assignment to entry in nil map'
const mixedCargo = [
  'adds_badly | src/lib.rs:21 | expected 4, got 3',
  'unwraps | src/lib.rs:27 | called `Option::unwrap()` on a `None` value',
]
const notThere = "Error: Cannot find module 'not-there.mjs' imported from a.test.mjs"

const known: Record<string, string[]> = {
  'node24-mixed-spec': [...mixedNode, 'throws | sum.test.mjs:7 | TypeError: can not read the file'],
  'node24-mixed-dot': [...mixedNode, 'throws | sum.test.mjs:7 | TypeError: can not read the file'],
  'node24-colour-spec': [...mixedNode, 'throws | sum.test.mjs:7 | TypeError: can not read the file'],
  'node24-mixed-tap': [...mixedNode, 'throws | sum.test.mjs:7 | can not read the file'],
  'node24-load-spec': [`a.test.mjs | a.test.mjs:1 | ${notThere}`],
  'node24-load-tap': [`a.test.mjs | a.test.mjs:1 | ${notThere}`],
  'node24-timeout-spec': ['too slow | a.test.mjs:3 | test timed out after 30ms'],
  'workspace-node24': [
    'cart bad | cart.test.js:3 | Error: bad cart',
    'text bad | text.test.js:3 | Error: bad text',
  ],
  'jest30-mixed': mixedJest,
  'jest30-colour': mixedJest,
  'jest27-mixed': mixedJest,
  'jest30-load-only': ['b.test.js | b.test.js:1 | the database is not there'],
  'vitest5-mixed': mixedVitest,
  'vitest0.34-mixed': mixedVitest,
  'vitest5-hooks': ['a.test.ts | a.test.ts:2 | Error: can not set up'],
  'mocha11-mixed': [
    'sum | test/one.js:4 | 2 == 3',
    'prints | test/one.js:5 | Error: no',
    '"before each" hook for "any" | test/one.js:9 | Error: no database',
  ],
  'tape-mixed': [
    'adds | a.js:2 | is four: expected 4, got 3',
    'throws | a.js:3 | bad: expected true, got false',
  ],
  'tap21-tap': [
    'is four | app/a.test.js:2 | expected 4, got 3',
    'is five | app/a.test.js:2 | expected 5, got 1',
  ],
  'tap16-tap': ['is four | a.test.js:2 | expected 4, got 3', 'is five | a.test.js:2 | expected 5, got 1'],
  'pytest9-mixed': mixedPytest,
  'pytest9-verbose': mixedPytest,
  'pytest9-quiet': [
    'test_adds_badly | test_sum.py:? | assert (1 + 2) == 4',
    'test_even[1] | test_sum.py:? | assert (1 % 2) == 0',
    'test_even[3] | test_sum.py:? | assert (3 % 2) == 0',
    'test_stored | test_text.py:? | RuntimeError: no database',
  ],
  'unittest-mixed': [
    'test_any | ut/test_one.py:24 | RuntimeError: no database',
    'test_prints | ut/test_one.py:12 | False is not true',
    'test_sum | ut/test_one.py:8 | 2 != 3',
    'test_rows (i=1) | ut/test_two.py:7 | 1 != 0',
    'test_rows (i=2) | ut/test_two.py:7 | 2 != 0',
  ],
  'go-mixed': [boom, five, four],
  'go-mixed-v': [boom, four, five],
  'go-json': [five, four],
  'cargo-mixed': mixedCargo,
  'cargo-quiet': mixedCargo,
  'cargo165-mixed': [...mixedCargo, 'does_not | tests/whole.rs:8 | zero and zero'],
}

for (const [name, expected] of Object.entries(known)) {
  test(`${name}: what fails, where, and why`, () => {
    assert.deepEqual(inApp(recording(name)), expected)
    assert.deepEqual(inApp(recording(name).replaceAll('\n', '\r\n')), expected, 'with carriage returns')
  })
}

test('what no runner printed, and what passes, names nothing', () => {
  for (const text of ['all fine\nok\n', recording('pytest9-pass'), recording('go-pass'), '']) {
    assert.deepEqual(failingTests(text), [])
  }
})

test('many failures are cut: the first are named, each in a short line', () => {
  const long = 'x'.repeat(900)
  const lines = Array.from({ length: 5_000 }, (_, i) => `not ok ${i + 1} - ${i} ${long}`)
  const found = failingTests(['TAP version 13', ...lines, '1..5000'].join('\n'))
  assert.deepEqual(
    found.map(({ name }) => name.split(' ')[0]),
    Array.from({ length: 12 }, (_, i) => `${i}`),
  )
  assert.ok(found.every(({ name }) => name.length <= 150))
})

/** Lines that begin, hold and end reports, and words of them. */
const fragments = [
  'TAP version 13~1..4~not ok 1 - ~not ok 2 ~ok 1~    not ok 1 - a {~}~  ---~  ...~    location: ~  error: |-',
  "'test failed'~ℹ tests 1~✖ failing tests:~✖ a (1ms)~test at a.js:1:1~Tests: 1 failed, 1 total~ FAIL a.js",
  '  ● a › b~ Test Files  1 failed (1)~ FAIL  a > b~⎯⎯~ ❯ a.ts:1:2~  1 passing (1ms)~  1 failing~  1) a~1 failed in 0.1s',
  '___ a ___~E   assert~a.py:1: AssertionError~FAILED a.py::b - c~Ran 1 test in 0.1s~FAIL: a (b.c)~  File "a.py", line 1',
  'ok  \ta\t1s~--- FAIL: a/b (0.00s)~=== RUN   a~{"Action":"fail","Package":"a","Output":"~    a_test.go:1: b~running 1 test',
  '---- a stdout ----~panicked at ~expected: ~actual: ~+ expected - actual~- Expected~+ Received~    at a (a.js:1:1)~:1:1',
  '\u001B[31m~\u0007~\r~\n~\n~\n~\n~(~"~\ud800~999999999999~/~ ~`',
].flatMap(row => row.split('~'))

test('whatever is printed, the answer is bounded', () => {
  const pieces = fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 3 })), {
    maxLength: 80,
  })
  fc.assert(
    fc.property(pieces, fc.constantFrom('', '\n'), (parts, between) => {
      const found = failingTests(parts.join(between), '/a')
      return (
        found.length <= 12 &&
        found.every(
          ({ name, file, line, said }) =>
            [name, file ?? '', said].every(text => text.length <= 150 && !text.includes('\n')) &&
            (line === null || Number.isInteger(line)),
        )
      )
    }),
  )
})

test('much of anything, in one line or in many, is read in time', () => {
  const letters = process.env['LOOP_LONG'] ? 1_000_000 : 100_000
  const pairs = fragments.flatMap(one => [
    `${one}\n`,
    one,
    `${fragments[(one.length * 7) % fragments.length]}\n${one}\n`,
  ])
  for (const one of pairs) assert.ok(failingTests(one.repeat(letters / one.length)).length <= 12)
})
