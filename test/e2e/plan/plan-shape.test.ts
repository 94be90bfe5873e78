/**
 * A SHAPE.md that a person wrote by hand: a plan uses it only after trust, asks no model for another one, and never
 * changes the file.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { clearSpec, endedNodes, planArgs, planEvents, samplePlan, shortPlanScript } from '../../rig/plan.ts'
import { planTerminal } from '../../rig/plan-terminal.ts'
import { makeRig, type Rig, readOr } from '../../rig/rig.ts'

const own = `criteria:
  - name: tests pass
    command: node --test
  - name: the cart is described
    command: test -s CART.md
mustNot:
  - name: a dependency is added
    command: grep -q dependencies package.json
  - name: a test is skipped
    command: grep -q skip cart.test.js
verification:
  tests pass: execution output
  the cart is described: execution output
`

function write(rig: Rig, text: string): void {
  mkdirSync(join(rig.tree, '.loop', 'shape'), { recursive: true })
  rig.write('.loop/shape/SHAPE.md', text)
}

const light = ['--review-light', 'off']

test('before trust nothing is begun; with --trust its criteria decide; a fresh start does not remove it', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  write(rig, own)
  const script = shortPlanScript(rig)
  const refused = await rig.loop(planArgs(clearSpec, script, ...light))
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /SHAPE\.md is not trusted/)
  assert.deepEqual(rig.loops(), [], 'no agent runs')
  const ended = await rig.loop(planArgs(clearSpec, script, ...light, '--trust'))
  assert.equal(ended.code, 0, ended.stderr)
  const nodes = endedNodes(rig)
  assert.ok(!nodes.some(node => node.startsWith('shape ')), 'the shape is not asked for')
  for (const check of ['c1 completed', 'c2 completed', 'm1 failed', 'm2 failed'])
    assert.ok(nodes.includes(`gate/1/${check}`), check)
  assert.match(ended.stderr, /^ {2}criterion: the cart is described – met$/m)
  assert.match(ended.stderr, /^ {2}must not happen: a test is skipped – does not happen$/m)
  const tasks = planEvents(rig).find(event => event.kind === 'node.started' && event.data.node === 'tasks')
  assert.ok(tasks?.kind === 'node.started' && tasks.data.member)
  const prompt = readOr(join(rig.dir(tasks.data.member), 'runs', '1', 'prompt'))
  assert.match(prompt, /- the cart is described \(execution output\): test -s CART\.md/)
  const state = JSON.parse(readOr(join(rig.tree, '.loop', 'state.json')))
  assert.deepEqual(state.criteriaStatus['the cart is described'], {
    met: true,
    verification: 'execution output',
  })
  assert.equal(readOr(join(rig.tree, '.loop', 'shape', 'SHAPE.md')), own, 'it is left as it was')
  const changed = own.replace('grep -q skip', 'grep -q todo')
  write(rig, changed)
  const again = await rig.loop(planArgs(clearSpec, script, ...light, '--fresh'))
  assert.notEqual(again.code, 0, 'one that was changed since is asked about again')
  assert.match(again.stderr, /SHAPE\.md is not trusted/)
  assert.equal(readOr(join(rig.tree, '.loop', 'shape', 'SHAPE.md')), changed, 'it is not loop’s to remove')
})

test('at a terminal the commands are shown first, and no is the default', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  write(rig, own)
  const args = ['plan', clearSpec, '--agent', 'scripted', '--agent-cmd', shortPlanScript(rig), ...light]
  const asks = 'Use it? You are asked again only when it changes. [y/N]'
  const declined = planTerminal(t, rig, [...args, '--yes'])
  await declined.answer(asks, '')
  assert.notEqual(await declined.screen.ended, 0)
  assert.match(
    declined.said(),
    /It names the commands that decide what is done:\n {2}tests pass: node --test\n/,
  )
  assert.deepEqual(rig.loops(), [])
  const agreed = planTerminal(t, rig, [...args, '--yes'])
  await agreed.answers([
    [asks, 'y'],
    ['look at the exact value. [yes / no]', 'no'],
  ])
  assert.equal(await agreed.screen.ended, 0, agreed.said())
})
