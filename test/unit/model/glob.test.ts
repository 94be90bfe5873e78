/** Which paths a glob of protected files matches. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesGlob } from '../../../src/model/glob.ts'

const rows: [glob: string, path: string, matches: boolean][] = [
  ['test/**', 'test/a.ts', true],
  ['test/**', 'test/deep/.hidden/a.ts', true],
  ['test/**', 'testing/a.ts', false],
  ['test', 'test/deep/a.ts', true],
  ['test/', 'test/a.ts', true],
  ['./test/*.ts', 'test/a.ts', true],
  ['/test/*.ts', 'test/a.ts', true],
  ['test/*.ts', 'test/deep/a.ts', false],
  ['**/*.test.ts', 'a.test.ts', true],
  ['**/*.test.ts', 'src/deep/a.test.ts', true],
  ['**/*.test.ts', 'src/a.ts', false],
  ['*', '.env', true],
  ['**', '.github/workflows/ci.yml', true],
  ['package.json', 'package.json', true],
  ['package.json', 'package-json', false],
  ['package.json', 'sub/package.json', true],
  ['./package.json', 'sub/package.json', false],
  ['*.t', 'test/a.t', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['{a,b}/*.js', 'b/x.js', true],
  ['{a,b}/*.js', 'c/x.js', false],
  ['a,b', 'a,b', true],
  ['[ab].js', 'b.js', true],
  ['[!ab].js', 'b.js', false],
  ['[!ab].js', 'c.js', true],
  ['{open', '{open', true],
  ['(a|b)+$', '(a|b)+$', true],
  ['a\\b', 'a\\b', true],
  ['*.md', 'two\nlines.md', true],
]

for (const [glob, path, matches] of rows) {
  test(`${glob} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(path)}`, () => {
    assert.equal(matchesGlob(path, glob), matches)
  })
}
