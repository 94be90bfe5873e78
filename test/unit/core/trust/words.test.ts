import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedByWords } from '../../../../src/core/trust/words.ts'
import { matchesGlob } from '../../../../src/model/glob.ts'

const rows: [prompt: string, path: string, isNamed: boolean][] = [
  ['fix tsconfig.json so that the build is quick', 'tsconfig.json', true],
  ['repair the tsconfig', 'tsconfig.build.json', true],
  ['update the snapshots', 'src/__snapshots__/a.snap', true],
  ['upgrade the dependencies', 'package-lock.json', true],
  ['bump express to 5.1', 'package.json', true],
  ['configure eslint rules for the new style', 'eslint.config.js', true],
  ['edit jest.config.js to use swc', 'jest.config.js', true],
  ['change the Makefile target', 'Makefile', true],
  ['verify.sh has a typo; fix it', 'verify.sh', true],
  ['The test in test/cart.test.js is wrong', 'test/cart.test.js', true],
  // What must pass is not what is to be changed.
  ['Make test/cart.test.js pass', 'test/cart.test.js', false],
  ['Fix the code to make tests/test_cart.py green', 'tests/test_cart.py', false],
  ['Fix cart.js so that test/cart.test.js passes', 'test/cart.test.js', false],
  ['change greet.sh until the Makefile target test passes', 'Makefile', false],
  ['fix the bug that test/cart.test.js shows', 'test/cart.test.js', false],
  ['Update cart.js according to test/cart.test.js', 'test/cart.test.js', false],
  ['test/cart.test.js is the contract: change cart.js', 'test/cart.test.js', false],
  ['Change cart.js (see test/cart.test.js)', 'test/cart.test.js', false],
  ['Fix cart.js, hands off test/cart.test.js', 'test/cart.test.js', false],
  ['Update cart.js, package.json and the Makefile', 'Makefile', true],
  ['Set the version in package.json to 1.1.0', 'package.json', true],
  ['Add API_URL to .env.example', '.env.example', true],
  ['Put dist into .gitignore', '.gitignore', true],
  ['the test file should be called total.test.js', 'total.test.js', true],
  // What is forbidden is not named.
  ['fix the failing tests in cart.js; never edit test/cart.test.js', 'test/cart.test.js', false],
  ['Make the tests pass. You must not modify tests/test_cart.py', 'tests/test_cart.py', false],
  ["Make npm test pass. Don't change package.json.", 'package.json', false],
  ['update the code but keep package.json as it is', 'package.json', false],
  ['make test must pass. Do not edit the Makefile', 'Makefile', false],
  // Tests in general are no file.
  ['fix the failing tests', 'test/cart.test.js', false],
  ['write tests for the parser', 'test/parser.test.js', false],
  ['fix the bug in total and add a regression test', 'test/cart.test.js', false],
  ['fix src/cart.js', 'package.json', false],
]

for (const [prompt, path, isNamed] of rows)
  test(`${prompt}: ${path} is ${isNamed ? 'named' : 'not named'}`, () =>
    assert.equal(
      namedByWords(prompt).some(glob => matchesGlob(path, glob)),
      isNamed,
      namedByWords(prompt).join(' '),
    ))
