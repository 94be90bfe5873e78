/** `loop demo best-of` and `loop demo workflow`: a demonstration for a person without a key and with little time. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, readOr } from '../../rig/rig.ts'

function projectIn(rig: Rig): string {
  const [name = ''] = readdirSync(rig.aside).filter(entry => entry.startsWith('loop-demo-'))
  return join(rig.aside, name)
}

test('best-of: two of three attempts pass, and the smaller change is in the project', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(['demo', 'best-of', '--plain'], { env: { TMPDIR: rig.aside } })
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stderr, /Chosen: 3-root-cause \(the smaller change\)/)
  assert.match(ended.stdout, /2-tests-first .* failed \(iteration-limit\)/)
  const cart = readOr(join(projectIn(rig), 'cart.js'))
  assert.match(cart, /item\.price \* item\.quantity/)
  assert.doesNotMatch(cart, /Rounds to cents/, 'the larger change stays out')
})

test('workflow: two loops side by side, one that needs both, and a hook at the end', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(['demo', 'workflow', '--plain'], { env: { TMPDIR: rig.aside } })
  assert.equal(ended.code, 0, ended.stderr)
  const project = projectIn(rig)
  for (const name of ['README.md', 'CHANGES.md']) assert.ok(existsSync(join(project, name)), name)
  assert.equal(readOr(join(project, 'released.txt')), 'Released: 1.1.0\n')
})

test('a demo that does not exist is refused by name', async t => {
  const refused = await makeRig(t).loop(['demo', 'workflo'])
  assert.deepEqual([refused.code, /Did you mean: loop demo workflow/.test(refused.stderr)], [4, true])
})
