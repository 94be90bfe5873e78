/**
 * Which error outputs are the same error. The recordings (how they were made: failing.test.ts) are of projects
 * with one failure, whose message holds a temporary path, a process id, a port, a UUID and a time where the
 * language lets it: run again; run in another directory with nine lines more at the beginning of the file
 * (shifted); and with the file, the test or the message replaced by another one. Also gcc 12.2, rustc 1.95,
 * TypeScript 7.0, Python 3.11; uncaught is a Node program that throws.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { errorSignature } from '../../../../src/core/text/failed-output.ts'

/** The variants recorded beside the first run. A compiler names no test; its message says everything. */
const same: Record<string, string[]> = {
  'node24-one': ['again', 'shifted'],
  'vitest3-one': ['again', 'shifted'],
  'jest30-one': ['again', 'shifted'],
  'pytest9-one': ['again', 'shifted'],
  'go-one': ['again', 'shifted'],
  'cargo-one': ['again', 'shifted'],
  'prove-one': ['again', 'shifted'],
  'python-one': ['again', 'shifted'],
  'uncaught-one': ['again', 'shifted'],
  'gcc-one': ['shifted'],
  'rustc-one': ['shifted'],
  'tsc-one': ['shifted'],
  'uncaught-port': ['again'],
}
const different: Record<string, string[]> = {
  'node24-one': ['other-file', 'other-name', 'other-message'],
  'vitest3-one': ['other-file', 'other-name', 'other-message'],
  'jest30-one': ['other-file', 'other-name', 'other-message'],
  'pytest9-one': ['other-file', 'other-name', 'other-message'],
  'go-one': ['other-file', 'other-name', 'other-message'],
  'cargo-one': ['other-file', 'other-name', 'other-message'],
  'prove-one': ['other-file', 'other-name', 'other-message'],
  'python-one': ['other-file', 'other-message'],
  'uncaught-one': ['other-file', 'other-message'],
  'gcc-one': ['other-file', 'other-message'],
  'rustc-one': ['other-file', 'other-message'],
  'tsc-one': ['other-file', 'other-message'],
  'uncaught-port': ['other-message'],
}

for (const [base, variants] of Object.entries(same)) {
  test(`${base}: the same when run ${variants.join(' or ')}`, () => {
    for (const variant of variants) {
      assert.notEqual(recorded(`${base}-${variant}`), recorded(`${base}-first`), 'the outputs differ')
      assert.equal(signed(`${base}-${variant}`), signed(`${base}-first`))
    }
  })
}

for (const [base, variants] of Object.entries(different)) {
  test(`${base}: another with ${variants.join(' or ')}`, () => {
    const signatures = ['first', ...variants].map(variant => signed(`${base}-${variant}`))
    assert.equal(new Set(signatures).size, signatures.length, signatures.join('\n'))
  })
}

test('the order in which tests ran, and colours, are not part of it', () => {
  const pairs = [
    ['go-order-first', 'go-order-other'],
    ['pytest9-order-first', 'pytest9-order-other'],
    ['node24-mixed-spec', 'node24-colour-spec'],
    ['vitest3-mixed', 'vitest3-colour'],
    ['jest30-mixed', 'jest30-colour'],
    ['cargo-mixed-on', 'cargo-colour'],
  ] as const
  for (const [one, other] of pairs) {
    assert.notEqual(recorded(one), recorded(other), 'the outputs differ')
    assert.equal(signed(one), signed(other))
  }
})

test('failures of one runner that are not the same', () => {
  const groups = [
    ['jest30-mixed', 'jest30-load', 'jest30-load-only', 'jest30-empty', 'jest30-hooks', 'jest30-crash'],
    [
      'vitest3-mixed',
      'vitest3-load',
      'vitest3-load-only',
      'vitest3-hooks',
      'vitest3-unhandled',
      'vitest3-tap',
    ],
    ['node24-mixed-spec', 'node24-load-spec', 'node24-timeout-spec', 'node24-killed'],
    ['pytest9-mixed', 'pytest9-load', 'pytest9-load-on', 'pytest9-conftest'],
    ['go-mixed', 'go-build', 'go-fail', 'go-exits', 'go-slow', 'go-not-a-module'],
    ['cargo-mixed', 'cargo-mixed-on', 'cargo-workspace', 'cargo-build', 'cargo-abort'],
  ]
  for (const group of groups) {
    const signatures = group.map(signed)
    assert.equal(new Set(signatures).size, group.length, signatures.join('\n'))
  }
})

test('short outputs', () => {
  const table: [string, string, 'same' | 'different'][] = [
    ['sh: 1: frobnicate: not found', 'sh: 2: frobnicate: not found', 'same'],
    ['sh: 1: frobnicate: not found', 'sh: 1: defrobnicate: not found', 'different'],
    ['FAILED a.py::test_even[1] - assert 1', 'FAILED a.py::test_even[2] - assert 1', 'different'],
    ['FAIL t1.test.js\n  ● adds\n', 'FAIL t2.test.js\n  ● adds\n', 'different'],
    ['a.ts(1,2): error TS2304: no', 'a.ts(1,2): error TS2305: no', 'different'],
    ['panic: test timed out after 1m30s', 'panic: test timed out after 10m0s', 'same'],
    ['no luck today', '  no luck today\n\n', 'same'],
    ['no luck today', 'no luck tomorrow', 'different'],
    ['12:00:01 3 of 7 files wrong', '12:00:09 4 of 7 files wrong', 'same'],
    ['/work/src/a/store.js: Error: x', '/work/src/b/store.js: Error: x', 'different'],
    ['/src/x.js\n  3:5  error  no a  no-undef', '/src/x.js\n  9:1  error  no a  no-undef', 'same'],
    ['/src/x.js\n  3:5  error  no a  no-undef', '/src/y.js\n  3:5  error  no a  no-undef', 'different'],
  ]
  for (const [one, other, expected] of table) {
    const [first, second] = [errorSignature(one), errorSignature(other)]
    assert.equal(first === second ? 'same' : 'different', expected, `${first}\n${second}`)
  }
})

test('an output without anything in it has none', () => {
  for (const text of ['', ' ', '\n\r\n\t', '\u001B[31m\u001B[0m\n', '\u001B(B']) {
    assert.equal(errorSignature(text), null, JSON.stringify(text))
  }
})

test('it says what is wrong', () => {
  assert.equal(
    signed('tsc-one-first'),
    `src/store.ts: error TS2322: Type 'string' is not assignable to type 'number'.`,
  )
  assert.equal(
    signed('vitest3-load-only'),
    'Error: the database is not there @ b.test.ts | b.test.ts [ b.test.ts ]',
  )
})

test('however many failures there are, it is short, and each of them counts', () => {
  const failures = Array.from({ length: 500 }, (_, index) => `--- FAIL: TestNumber${index} (0.00s)`)
  const whole = errorSignature(failures.join('\n'))
  assert.ok(whole !== null && whole.length <= 400, whole ?? 'none')
  assert.equal(errorSignature(failures.toReversed().join('\n')), whole)
  for (const index of [0, 250, 499])
    assert.notEqual(errorSignature(failures.toSpliced(index, 1).join('\n')), whole)
})

const fragments = [
  'Error: ~error~ [a~:~: ~✖ a (1ms)~● ~at ~a.js~:1:1~(~)~/tmp/~/a/~ line ~not ok ~# ~FAIL ',
  'FAILED a.py~ - ~--- FAIL: ~panicked at ~E   ~{"Time":~"Output":"~\\~"}~0x~deadbeef~1h',
  '2024-01-01~T00:00~#~|-~\u001B[~\n~\n~\t~7~\ud800',
].flatMap(row => row.split('~'))

test('whatever is printed, it is short or there is none, and the same for the same', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 3 })), {
    maxLength: 80,
  })
  fc.assert(
    fc.property(text, pieces => {
      const signature = errorSignature(pieces.join(''))
      assert.equal(errorSignature(`\n${pieces.join('')}\n`), signature)
      return signature === null || (signature.length > 0 && signature.length <= 400)
    }),
  )
})

test('much of anything, in one line or in many, is read in time', () => {
  const letters = process.env['LOOP_LONG'] ? 2_000_000 : 400_000
  const lines = fragments.map(fragment => fragment.repeat(letters / fragment.length))
  const many = lines.map(line => `${line.slice(0, 999)}\n`.repeat(40)).join('')
  for (const text of [...lines, many]) assert.ok((errorSignature(text)?.length ?? 0) <= 400)
})

function recorded(name: string): string {
  return readFileSync(join(import.meta.dirname, `../../../recordings/runners/${name}.txt`), 'utf8')
}

function signed(name: string): string | null {
  return errorSignature(recorded(name))
}
