/** What a command before a pipe ended with is written down, and the text does the same as before. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { withPipeCodes } from '../../../../src/core/trust/pipe-codes.ts'

const rows: [text: string, code: number, piped: string | null][] = [
  ['(echo OK; exit 3) | grep -q OK', 0, '3\n'],
  ['echo OK | grep -q OK', 0, null],
  ['yes | head -n 1', 0, null],
  // It ignores SIGPIPE: cut short, it would fail by that.
  ['node -e "for (let n = 0; n < 50000; n++) console.log(n)" | grep -q 5', 0, null],
  ['node -e "for (let n = 0; n < 50000; n++) console.log(n); process.exitCode = 6" | grep -q 5', 0, '6\n'],
  ['echo a | (cat; exit 3) | grep -q a', 0, '3\n'],
  ['echo a | { read x; exit 3; }', 3, null],
  ['! (echo OK; exit 4) | grep -q bad', 0, '4\n'],
  ['set -e; false | true; echo on', 0, '1\n'],
  ['exit 5 | cat; exit 2', 2, '5\n'],
  ['for n in 1 2; do sh -c "exit $n" | cat; done', 0, '1\n2\n'],
  ['if false | true; then exit 7; fi', 7, '1\n'],
  ['test "$(false | echo a)" = a', 0, null],
  ['cat <<E | grep -q x\nx\nE', 0, null],
  ['false || true', 0, null],
  ['f() { return 3; }; f | cat; f', 3, '3\n'],
  ['f()\n(\n  false | true\n)\nf', 0, '1\n'],
]

for (const [text, code, piped] of rows)
  test(text, t => {
    const dir = mkdtempSync(join(tmpdir(), 'pipe codes-'))
    t.after(() => rmSync(dir, { recursive: true }))
    const file = join(dir, 'piped')
    const { status } = spawnSync('/bin/sh', ['-c', withPipeCodes(text, file)])
    assert.equal(status, code)
    assert.equal(existsSync(file) ? readFileSync(file, 'utf8') : null, piped)
  })

test('a text that the parser gives up on stays as it is', () => {
  assert.equal(withPipeCodes('[[ a | b ]]', '/tmp/x'), '[[ a | b ]]')
})
