/**
 * What fails, for people and agents: the name, the place and the error in one line. The outputs are those of
 * failed-tests.test.ts; what is expected follows from the recorded projects: which line of which file asserts what.
 * Those of dotnet, Maven and Gradle are written after their documentation: these tools were not to be had.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { failingCount, failingTests } from '../../../../../src/core/text/test-output.ts'

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
const mixedBun = [
  'is free | cart.test.ts:4 | expected 0, got 5',
  'reads | cart.test.ts:5 | TypeError: can not read the file',
  "tax.test.ts | tax.test.ts:? | Cannot find module './not-there' from 'tax.test.ts'",
]
const mixedRspec = [
  'shop sum | spec/one_spec.rb:3 | expected 3, got 2',
  'shop prints | spec/one_spec.rb:4 | RuntimeError: no',
  'shop inner any | spec/one_spec.rb:9 | RuntimeError: no database',
  'shop inner other | spec/one_spec.rb:9 | RuntimeError: no database',
]
const mixedPhp = [
  'testThrows | ph/tests/OneTest.php:7 | RuntimeException: no database',
  'testSum | ph/tests/OneTest.php:5 | Failed asserting that 2 is identical to 3.',
  'testPrints | ph/tests/OneTest.php:6 | no',
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
  'cargo-build': [
    'cannot find value `c` in this scope | src/lib.rs:2 | ',
    'mismatched types | src/lib.rs:7 | ',
  ],
  'go-build': [
    'TestB | b_test.go:5 | bad b',
    'TestOther | b_test.go:6 | bad other',
    'cannot find module providing package example.com/shop/notthere: module lookup disabled by GOPROXY=off | c/c_test.go:6 | ',
    'undefined: undefined | a/a_test.go:5 | ',
  ],
  'ava6-mixed': [
    'ships for free | cart.test.js:4 | expected 0, got 5',
    'has taxes | cart.test.js:5 | expected tax: 2, got tax: 1',
    'reads | cart.test.js:6 | TypeError: can not read the file',
    'checks | cart.test.js:7 | 1 == 2',
  ],
  'bun1-mixed': mixedBun,
  'bun1-colour': mixedBun,
  'deno2-mixed': [
    'ships for free | cart_test.js:3 | 5 !== 0',
    'is far | cart_test.js:5 | TypeError: can not read the file',
  ],
  'prove-mixed': [
    'bad | t/a.t:3 | ',
    "bad too | t/a.t:4 | expected '2', got '1'",
    'bad in | t/b.t:3 | ',
    'bad in too | t/b.t:3 | ',
    'deeper | t/b.t:3 | ',
  ],
  'ctest-mixed': ['sum | ?:? | ', 'prints | ?:? | ', 'gone | ?:? | not run', 'slow | ?:? | timeout'],
  'rspec-mixed': mixedRspec,
  'rspec-colour': mixedRspec,
  'rspec-load': ['ld/a_spec.rb | ld/a_spec.rb:1 | LoadError: cannot load such file -- nosuch'],
  'phpunit9-mixed': mixedPhp,
  'phpunit9-colour': mixedPhp,
  'phpunit9-testdox': [...mixedPhp.slice(1), ...mixedPhp.slice(0, 1)].map(line => line.replace(/^test/, '')),
  'dotnet-mixed': ['Sum | App.Tests/Shop.cs:12 | expected 3, got 2'],
  'dotnet9-mixed': [
    'Sum | App.Tests/Shop.cs:12 | Assert.Equal() Failure',
    'Any | App.Tests/Shop.cs:18 | no database',
  ],
  'maven3-mixed': [
    'shipsForFree | CartTest.java:12 | expected:<0> but was:<5>',
    'reads | CartTest.java:16 | IllegalState can not read the file',
  ],
  'gradle8-mixed': [
    'shipsForFree | CartTest.java:12 | AssertionError',
    'reads | CartTest.java:16 | IllegalStateException: can not read the file',
  ],
  'gcc-one-first': ['‘price’ undeclared (first use in this function) | src/store.c:1 | '],
  'rustc-one-first': ['cannot find value `price` in this scope | src/store.rs:1 | '],
  'tsc-one-first': ["Type 'string' is not assignable to type 'number'. | src/store.ts:1 | "],
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

test('of a runner that is not known, a mark names a failure, and its sum is counted', () => {
  const text =
    '✓ adds\n✗ trims\n    not trimmed\n✗ ships\n46 tests, 40 passed, 6 failed\nmake: *** [Makefile:3: test] Error 1\n'
  assert.deepEqual(inApp(text), ['trims | ?:? | not trimmed', 'ships | ?:? | '])
  assert.equal(failingCount(text), 6)
  assert.equal(failingCount(`${recording('pytest9-mixed')}\n46 tests, 40 passed, 6 failed\n`), 4)
})

test('make names its target where nothing else is named', () => {
  const text = 'checking\nmake[1]: *** [Makefile:3: test] Error 1\n'
  assert.deepEqual(inApp(text), ['make test | Makefile:3 | Error 1'])
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
  '(fail) a > b [1ms]~Ran 1 test across 1 file. [1ms]~a.ts:~  ─~  1 test failed~  a~a => ./a.ts:1:1~ ERRORS ~FAILED | 1 passed | 1 failed',
  '50% tests passed, 1 tests failed out of 2~1/2 Test #1: a ..***Failed~Failures:~1 example, 1 failure~ERRORS!~1) A::b~There was 1 error:',
  '[ERROR] Tests run: 1, Failures: 1~[INFO] Results:~[ERROR]   A.b:1 c~1 test completed, 1 failed~A > b FAILED~  Failed A.b [1 ms]~Failed!  - Failed: 1',
  'a.c:1:1: error: b~a.ts(1,1): error TS1: b~error: a~ --> a:1:1~make: *** [a:1: b] Error 1~3 tests, 1 passed, 2 failed~✗ a~#   Failed test ~Result: FAIL',
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
  const letters = process.env['LOOP_LONG'] ? 1_000_000 : 40_000
  const pairs = fragments.flatMap(one => [
    `${one}\n`,
    one,
    `${fragments[(one.length * 7) % fragments.length]}\n${one}\n`,
  ])
  for (const one of pairs) assert.ok(failingTests(one.repeat(letters / one.length)).length <= 12)
})
