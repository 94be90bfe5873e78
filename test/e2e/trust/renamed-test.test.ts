/**
 * A test file that is renamed holds the same tests: honest work with a rename is completed, and a rename that hides the
 * missing work is not. What was looked at is said as it was tried.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, startArgs } from '../../rig/rig.ts'

const tests = `const { test } = require('node:test')
const assert = require('node:assert')
const { total } = require('../cart.js')
test('sum', () => assert.equal(total(), 10))
test('twice', () => assert.equal(2 * total(), 20))
`

function shop(rig: Rig): void {
  mkdirSync(join(rig.tree, 'test'))
  rig.write('test/cart.test.js', tests)
  rig.write('cart.js', 'exports.total = () => 9\n')
}

const rename = 'mv test/cart.test.js test/total.test.js'

test('the real fix with a renamed test is completed without a doubt', async t => {
  const rig = makeRig(t)
  shop(rig)
  const agent = `${rename}; echo 'exports.total = () => 10' > cart.js`
  const ended = await rig.loop(startArgs(agent, 'node --test', '-n', '2', '--no-input'))
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /SHIP/)
  const [id = ''] = rig.loops()
  const looks = rig.events(id).flatMap(event => (event.kind === 'look.taken' ? [event.data.which] : []))
  assert.deepEqual(looks, ['green'])
})

test('a renamed test that asks for less is suspect', async t => {
  const rig = makeRig(t)
  shop(rig)
  const agent = `${rename}; sed -i 's/10)/9)/; s/20)/18)/' test/total.test.js`
  const ended = await rig.loop(startArgs(agent, 'node --test', '-n', '1', '--no-input'))
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /suspect: the promise passes by changes to what judges the work/)
})

test('a renamed test that reads another product is suspect', async t => {
  const rig = makeRig(t)
  shop(rig)
  const agent = `mkdir -p test/a; mv test/cart.test.js test/a/; echo 'exports.total = () => 10' > test/cart.js`
  const ended = await rig.loop(startArgs(agent, 'node --test', '-n', '1', '--no-input'))
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /suspect/)
})

test('a tool that changed beside honest work is said to be untried', async t => {
  const rig = makeRig(t)
  const bin = join(rig.aside, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'judge'), '#!/bin/sh\ntest -e done\n', { mode: 0o755 })
  const agent = `touch done; echo '# newer' >> '${join(bin, 'judge')}'`
  const env = { PATH: `${bin}:${process.env['PATH']}` }
  const ended = await rig.loop(startArgs(agent, 'judge', '-n', '1', '--no-input'), { env })
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /that alone does not make the promise pass, but it was not tried without/)
})
