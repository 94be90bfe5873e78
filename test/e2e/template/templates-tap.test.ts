/** Built-in templates in projects whose runner prints TAP as tape does, or names no tests at all. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig } from '../../rig/rig.ts'
import { assertHonest, type Plan, play } from '../../rig/templates/play.ts'
import { nothing, writeShop } from '../../rig/templates/shop.ts'

/** What tape prints: a title as a comment, then its assertions without a dash, and the operator of a failed one. */
const tape = `const tests = []
module.exports = (title, body) => tests.push({ title, body })
setImmediate(() => {
  let [count, failed] = [0, 0]
  console.log('TAP version 13')
  for (const { title, body } of tests) {
    console.log('# ' + title)
    const equal = (actual, expected) => {
      count += 1
      const isSame = actual === expected
      console.log((isSame ? 'ok ' : 'not ok ') + count + ' should be strictly equal')
      if (isSame) return
      failed += 1
      const [, , at] = new Error().stack.split('\\n')
      const fields = ['operator: equal', 'expected: ' + expected, 'actual:   ' + actual, 'at: ' + at.trim().slice(3)]
      console.log(['  ---', ...fields.map(field => '    ' + field), '  ...'].join('\\n'))
    }
    body({ equal, end() {} })
  }
  console.log(['', '1..' + count, '# tests ' + count, '# pass  ' + (count - failed)].join('\\n'))
  console.log(failed > 0 ? '# fail  ' + failed : '\\n# ok')
  process.exitCode = failed > 0 ? 1 : 0
})
`

const cart = 'exports.total = items => items.reduce((sum, price) => sum + price, 0)\n'
const last = 'exports.last = items => (items.length === 0 ? -1 : items[items.length - 1])\n'
const testOf = (title: string, call: string, value: number) => `const test = require('tape')
const { total, last, discount } = require('../cart.js')
test('${title}', t => {
  t.equal(${call}, ${value})
  t.end()
})
`
const project = {
  'node_modules/tape/index.js': tape,
  'node_modules/tape/bin/tape':
    "for (const file of process.argv.slice(2)) require(require('path').resolve(file))\n",
  'cart.js': cart + last,
  'test/total.js': testOf('adds the prices', 'total([1, 2])', 3),
}
const command = 'node node_modules/tape/bin/tape test/*.js'

const stub = `${cart}${last}exports.discount = () => undefined\n`
const made = stub.replace(
  '() => undefined',
  '(amount, percent) => {\n  const part = (amount * percent) / 100\n  return amount - part\n}',
)
const discountTest = testOf('takes off a part', 'discount(200, 10)', 180)
const tdd: Plan = {
  red: [
    nothing,
    { says: 'a test that passes', files: { 'test/two.js': testOf('adds two', 'total([2, 2])', 4) } },
    { says: 'honest', files: { 'test/discount.js': discountTest, 'cart.js': stub } },
  ],
  green: [nothing, { says: 'honest', files: { 'cart.js': made } }],
  refactor: [
    nothing,
    {
      says: 'honest',
      files: { 'cart.js': made.replace(/\{\n.*\n.*\n\}/, '(amount * (100 - percent)) / 100') },
    },
  ],
}

const report = `# Last

## Cause
The function answered -1 where there was nothing, which callers took for an amount and added to the sum of the others.

## Fix
It answers 0 now, the same that the sum of nothing is; no caller has to know that there is a special number any more.

## Places
- cart.js:2 \`items.length === 0 ? 0\` is the answer for an empty cart, and the only place that spoke of one.
`
const bugfix: Plan = {
  reproduce: [
    nothing,
    { says: 'honest', files: { 'test/last.js': testOf('the last of none is 0', 'last([])', 0) } },
  ],
  fix: [nothing, { says: 'honest', files: { 'cart.js': cart + last.replace('-1', '0') } }],
  verify: [nothing, { says: 'honest', files: { 'bugfix-report.md': report } }],
}

for (const { template, plan, set } of [
  { template: 'tdd', plan: tdd, set: { feature: 'a discount' } },
  { template: 'bugfix', plan: bugfix, set: { bug: 'the last of none is -1' } },
]) {
  test(`${template} with tape: its tests are known by their titles`, async t => {
    const rig = makeRig(t)
    writeShop(rig.tree, project)
    assertHonest(await play(rig, { template, plan, set: { ...set, test: command } }), plan)
  })
}

for (const template of ['tdd', 'bugfix']) {
  test(`${template} is refused before an agent runs, if the runner does not name its tests`, async t => {
    const rig = makeRig(t)
    // PHPUnit: loop counts its failures, and reads no names.
    rig.write(
      'suite.sh',
      'echo "PHPUnit 11.0.0 by Sebastian Bergmann and contributors."; echo; echo "OK (2 tests, 2 assertions)"\n',
    )
    const what = template === 'tdd' ? 'feature=x' : 'bug=x'
    const agent = ['--agent', 'custom', '--agent-cmd', 'touch ran']
    const run = await rig.loop([
      'template',
      'run',
      template,
      '--set',
      what,
      '--set',
      'test=sh suite.sh',
      ...agent,
    ])
    assert.equal(run.code, 1, run.stderr)
    assert.equal(existsSync(join(rig.tree, 'ran')), false)
    const [first = ''] = rig.loops().filter(id => rig.events(id)[0]?.kind === 'loop.created')
    const shown = await rig.loop(['logs', first, '--promise'])
    assert.match(
      shown.stdout,
      /check red: loop reads how many tests of "sh suite\.sh" fail, but not which\. It reads names from node:test, .*\n.*Name a command that prints them: --set test="…"/,
    )
  })
}
