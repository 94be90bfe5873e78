/**
 * `loop plan` through the real program: from a spec to `<loop-complete>`, with a task that fails first, counsel, light
 * and thorough reviews, a true and a false blocker, remediation, the gate and learning; the questions to people, and
 * the behaviour without a person.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onlyGroup } from '../../rig/group.ts'
import {
  endedNodes,
  planArgs,
  planEvents,
  planScript,
  samplePlan,
  vagueSpec,
  wholeAnswers,
} from '../../rig/plan.ts'
import { makeRig, readOr } from '../../rig/rig.ts'

test('the whole path: intent, shape, tasks, G1, waves, counsel, reviews, remediation, gate, learning, end', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  rig.write('answers.yaml', wholeAnswers)
  const ended = await rig.loop(planArgs(vagueSpec, planScript(rig), '--answers', 'answers.yaml'))
  assert.equal(ended.code, 0, ended.stderr)
  const nodes = endedNodes(rig)
  const order = (ids: string[]) =>
    assert.deepEqual(
      nodes.filter(one => ids.includes(one)),
      ids,
    )
  order(['intent/1/success completed', 'shape completed', 'tasks completed', 'T-001/counsel-1 completed'])
  order(['T-001/counsel-1 completed', 'T-001 completed', 'T-001/apply completed', 'T-002/apply completed'])
  order(['T-002/apply completed', 'wave-1/review completed', 'T-003 completed', 'wave-2/review completed'])
  order([
    'wave-2/review completed',
    'review/1/verify-1 completed',
    'T-004 completed',
    'T-004/apply completed',
  ])
  order([
    'T-004/apply completed',
    'gate/2/c1 completed',
    'gate/2/checklist completed',
    'deviations completed',
  ])
  assert.ok(!nodes.some(one => one.startsWith('review/2/verify')), 'nothing was found in the second round')
  assert.match(
    ended.stderr,
    /\[LOOP\] Starting \| Shape: \S+ \(\d+\/10\) \| Workflow: B \| Steps: 3 \| Budget: \$25/,
  )
  assert.match(ended.stdout, /<loop-complete>\nAll tasks verified:\n- T-001: ✓ Count quantities/)
  assert.match(
    ended.stdout,
    /╭─ 🟢 SHIP ─+╮\n│ Verified: execution output +│\n│ Tasks: 4\/4 complete +│\n│ Subjective: ~90% · Type 2B · 3pt +│\n├─+┤\n│ ↳ Alt: /,
  )
  const state = JSON.parse(readOr(join(rig.tree, '.loop', 'state.json')))
  assert.equal(state.steps.length, 4)
  assert.deepEqual(state.criteria, ['tests pass', 'the cart is documented'])
  assert.deepEqual(state.criteriaStatus['tests pass'], { met: true, verification: 'execution output' })
  const [run = ''] = readdirSync(join(rig.tree, '.loop', 'runs'))
  const context = readOr(join(rig.tree, '.loop', 'runs', run, '_context.md'))
  assert.match(context, /\| \d+ \| How can one see that it works\?.*\| All tests pass/)
  assert.match(context, /- Before: the tests say everything that is wanted/)
  assert.ok(existsSync(join(rig.tree, '.loop', 'runs', run, 'plan.md')))
  assert.match(readOr(join(rig.tree, '.loop', 'shape', 'SHAPE.md')), /## MustNot/)
  const list = join(rig.env['HOME'] ?? '', '.claude', 'tasks', 'tree-fix-the-cart')
  const task = JSON.parse(readOr(join(list, '1.json')))
  assert.deepEqual([task.subject, task.status, task.metadata.wave], [state.steps[0].slice(7), 'completed', 1])
  assert.match(task.description, /Verify: node --test --test-name-pattern/)
  assert.deepEqual(JSON.parse(readOr(join(list, '3.json'))).blockedBy, ['1'])
  const learnt = await rig.loop(['recall', 'limits of the cart'])
  assert.match(learnt.stdout, /Limits in this cart are inclusive/, 'with consent it is remembered')
})

test('a spec that says too little is refused where nobody is there, and no agent runs', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const ended = await rig.loop(planArgs(vagueSpec, planScript(rig)))
  assert.equal(ended.code, 4)
  assert.match(ended.stderr, /says too little to be planned \(\d\/10\)/)
  assert.match(ended.stderr, /success: /)
  assert.deepEqual(rig.loops(), [])
  assert.ok(!existsSync(join(rig.tree, '.loop')))
})

test('a gate that nobody can answer pauses the plan; loop answer and resume let it go on', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const colleague = `${vagueSpec} so that all tests pass, in cart.js`
  const script = planScript(rig)
  const ended = await rig.loop(planArgs(colleague, script, '--force', '-n', '20'))
  assert.equal(ended.code, 1, ended.stderr)
  const id = onlyGroup(rig)
  const asked = await rig.loop(['answer', id])
  assert.match(asked.stdout, /Decomposed into 3 steps:\n1\. Count quantities/)
  assert.match(asked.stdout, /Here are 3 steps\. Proceed\?/)
  const again = await rig.loop(planArgs(colleague, script, '--force'))
  assert.equal(again.code, 4, 'a second plan is not begun beside it')
  assert.match(again.stderr, new RegExp(`Plan ${id} is here and paused`))
  const refused = await rig.loop(['answer', id, 'no'])
  assert.equal(refused.code, 0, refused.stderr)
  const over = await rig.loop(['resume', id])
  assert.equal(over.code, 1)
  assert.match(over.stdout, /a person said no/)
  const runs = planEvents(rig).filter(
    event => event.kind === 'node.started' && event.data.node.startsWith('T-'),
  )
  assert.deepEqual(runs, [], 'no task was begun')
})
