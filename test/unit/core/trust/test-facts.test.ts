/** Which files tests lead to, directly or through other code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unreached } from '../../../../src/core/trust/test-facts.ts'

const code = new Map([
  ['src/index.js', "module.exports = require('./total.js')\n"],
  ['src/total.js', 'exports.total = 1\n'],
  ['src/cart.js', 'exports.cart = 1\n'],
])

test('what no test leads to is told', () => {
  const tests = new Map([['test/a.test.js', "require('../src/index.js')\n"]])
  assert.deepEqual(unreached(['src/total.js', 'src/cart.js', 'test/a.test.js'], { tests, code }), [
    'src/cart.js',
  ])
})

test('a circle of imports ends', () => {
  const circle = new Map([
    ['a.py', 'import b\n'],
    ['b.py', 'import a\n'],
  ])
  assert.deepEqual(
    unreached(['a.py', 'b.py'], { tests: new Map([['test_a.py', 'from a import x\n']]), code: circle }),
    [],
  )
})
