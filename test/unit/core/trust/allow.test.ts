import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedByWords } from '../../../../src/core/trust/allow.ts'
import { matchesGlob } from '../../../../src/model/glob.ts'

const allows = (prompt: string, path: string) => allowedByWords(prompt).some(glob => matchesGlob(path, glob))

const rows: [string, string, boolean][] = [
  ['write tests for the parser', 'test/parser.test.js', true],
  ['Write failing tests for user-auth', 'test/auth.test.js', true],
  ['add unit tests to src/cart.js', 'tests/test_cart.py', true],
  ['increase test coverage to 90 %', 'src/a.test.ts', true],
  ['improve coverage of the router', 'router_test.go', true],
  ['update the snapshots', 'src/__snapshots__/a.snap', true],
  ['fix tsconfig.json so that the build works', 'tsconfig.json', true],
  ['repair the tsconfig', 'tsconfig.build.json', true],
  ['upgrade the dependencies', 'package-lock.json', true],
  ['bump express to 5.1', 'package.json', true],
  ['migrate react from 18 to 19', 'package.json', true],
  ['configure eslint rules for the new style', 'eslint.config.js', true],
  ['edit jest.config.js to use swc', 'jest.config.js', true],
  ['change the Makefile target', 'Makefile', true],
  ['Set the version of package.json to 1.1.0', 'package.json', true],
  // A prompt that only mentions tests does not allow changing them.
  ['fix the failing tests', 'test/cart.test.js', false],
  ['make the tests pass', 'test/cart.test.js', false],
  ['fix the bug so that npm test passes', 'package.json', false],
  ['add caching so that the tests pass', 'test/a.test.js', false],
  ['add validation to make all tests pass', 'test/a.test.js', false],
  ['add a login page, tests must pass', 'test/login.test.js', false],
  ['implement user-auth to make tests pass', 'test/auth.test.js', false],
  ['refactor the cart for clarity, keeping tests passing', 'test/cart.test.js', false],
  ['update the README', 'package.json', false],
  ['add an error page', 'package.json', false],
  ['write tests for the parser', 'package.json', false],
  ['fix src/cart.js', 'package.json', false],
  ['upgrade the dependencies', 'test/a.test.js', false],
]

test('the tests and scripts that the words of a prompt allow an agent to change', () => {
  for (const [prompt, path, expected] of rows)
    assert.equal(allows(prompt, path), expected, `${prompt}: ${path} (${allowedByWords(prompt).join(' ')})`)
})
