/**
 * Groups that were interrupted after their last verdict, through the real program: a person edits the tree before a
 * plan, a best-of or a workflow completes. None completes on a verdict about another tree, and nothing is run again
 * where nobody has edited. The same of a single loop: test/e2e/loop/edited-since.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { bestOfArgs, onlyGroup } from '../../rig/group.ts'
import { planArgs, planEvents, samplePlan, shortPlanScript } from '../../rig/plan.ts'
import { makeRig, type Rig, until } from '../../rig/rig.ts'

const kinds = (rig: Rig) => planEvents(rig).map(({ kind }) => kind as string)
const count = (rig: Rig, kind: string) => kinds(rig).filter(one => one === kind).length

/** How often a node was begun. */
const begun = (rig: Rig, node: string) =>
  planEvents(rig).filter(event => event.kind === 'node.started' && event.data.node === node).length

/** Scored as a colleague: G3 is asked. */
const spec = 'Fix total(), discounted() and shipping() in cart.js so that all tests pass, done when it works'

/** A plan whose gate has passed, and that waits for an answer to G3. */
async function asksG3(t: TestContext, nodes: Record<string, object[][]> = {}, ...more: string[]) {
  const rig = makeRig(t)
  samplePlan(rig)
  rig.write('../aside/answers.yaml', 'G1: yes\nG2/1: yes\nG2/2: yes\n')
  const script = shortPlanScript(rig, nodes)
  const answers = ['--review-light', 'off', '--answers', join(rig.aside, 'answers.yaml')]
  const asked = await rig.loop(planArgs(spec, script, ...answers, ...more))
  assert.equal(asked.code, 1, asked.stdout + asked.stderr)
  assert.match(asked.stdout, /All criteria met\. Confirm done\?/)
  return { rig, id: onlyGroup(rig) }
}

async function answered(rig: Rig, id: string, text = 'yes') {
  assert.equal((await rig.loop(['answer', id, text])).code, 0)
  return rig.loop(['resume', id, '--no-input'])
}

const cart = (rig: Rig) => join(rig.tree, 'cart.js')

/** It may write into the tree, too. */
const holdout = ['--holdout', 'date +%s%N > stamp; node --test']

test('G3 is answered in the tree of the hold-out: nothing is verified again', async t => {
  const { rig, id } = await asksG3(t, {}, ...holdout)
  const ended = await answered(rig, id)
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.deepEqual([begun(rig, 'gate/1/c1'), begun(rig, 'holdout')], [1, 1])
  assert.ok(count(rig, 'tree.compared') >= 2, 'after the checklist, and after the answer')
})

test('an edit while G3 waits that breaks nothing: the gate is run again, and G3 is not asked again', async t => {
  const { rig, id } = await asksG3(t, {}, ...holdout)
  rig.write('cart.js', `${readFileSync(cart(rig), 'utf8')}\n// The sum is in cents.\n`)
  const ended = await answered(rig, id)
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(ended.stderr, /the tree is not the one that was verified: cart\.js; loop verifies it again/)
  for (const node of ['gate/1/c1', 'gate/1/c2', 'gate/1/m1', 'gate/1/m2', 'gate/1/look', 'holdout'])
    assert.equal(begun(rig, node), 2, node)
  assert.deepEqual([begun(rig, 'gate/1/checklist'), begun(rig, 'G3')], [1, 1])
})

test('an edit while G3 waits that breaks a criterion: a task has to mend it, and G3 is asked again', async t => {
  const { rig, id } = await asksG3(t, { 'T-003': [[{ run: 'cp "$ASIDE/cart.js" cart.js' }]] })
  rig.write('../aside/cart.js', readFileSync(cart(rig), 'utf8'))
  rig.write('cart.js', 'exports.total = () => 1\n')
  const asked = await answered(rig, id)
  assert.equal(asked.code, 1, asked.stdout + asked.stderr)
  assert.ok(!kinds(rig).includes('group.completed'))
  assert.match(asked.stdout, /it has a question, and nobody is there to answer: All criteria met/)
  assert.deepEqual([begun(rig, 'gate/1/c1'), begun(rig, 'T-003')], [2, 1])
  const ended = await answered(rig, id)
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.equal(begun(rig, 'G3'), 2)
})

const work = 'echo good > work.txt'
const promise = 'date +%s%N > stamp; grep -q good work.txt'
const best = bestOfArgs(work, promise, '-n', '1', '--no-input')

/** The place of the check in the journal of a best-of of two; no member has as many events. */
const checkedAt = 17

/** Killed right after this event. */
async function killedAt(
  rig: Rig,
  args: string[],
  { event, at }: { event: string; at: number },
): Promise<string> {
  const killed = await rig.loop(args, { env: { LOOP_FAULT: `append:${at}` } })
  assert.equal(killed.signal, 'SIGKILL', killed.stdout + killed.stderr)
  assert.equal(kinds(rig).at(-1), event)
  return onlyGroup(rig)
}

const points = [
  { event: 'node.ended', at: checkedAt + 1 },
  { event: 'tree.checked', at: checkedAt },
]

for (const { event, at } of process.env['LOOP_LONG'] ? points : points.slice(0, 1)) {
  test(`a best-of killed at ${event}: an edit that breaks the promise fails it, and stays`, async t => {
    const rig = makeRig(t)
    const id = await killedAt(rig, best, { event, at })
    rig.write('work.txt', 'bad\n')
    const ended = await rig.loop(['resume', id, '--no-input'])
    assert.equal(ended.code, 1, ended.stdout + ended.stderr)
    assert.match(
      ended.stdout,
      /is in the work tree, which was changed since: the promise does not hold there/,
    )
    assert.ok(!kinds(rig).includes('group.completed'))
    assert.equal(readFileSync(join(rig.tree, 'work.txt'), 'utf8'), 'bad\n')
    rig.write('work.txt', 'good again\n')
    const mended = await rig.loop(['resume', id, '--no-input'])
    assert.equal(mended.code, 0, mended.stdout + mended.stderr)
    assert.equal(readFileSync(join(rig.tree, 'work.txt'), 'utf8'), 'good again\n')
  })
}

test('a best-of killed after its check: an edit that breaks nothing is verified, and it completes', async t => {
  const rig = makeRig(t)
  const id = await killedAt(rig, best, { event: 'tree.checked', at: checkedAt })
  rig.write('work.txt', 'good, and mine\n')
  const ended = await rig.loop(['resume', id, '--no-input'])
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.equal(count(rig, 'tree.checked'), 2)
  assert.equal(readFileSync(join(rig.tree, 'work.txt'), 'utf8'), 'good, and mine\n')
})

test('a best-of killed after its check, nothing edited: the promise is not run again', async t => {
  const rig = makeRig(t)
  const id = await killedAt(rig, best, { event: 'tree.checked', at: checkedAt })
  const ended = await rig.loop(['resume', id, '--no-input'])
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.equal(count(rig, 'tree.checked'), 1)
})

/** Tells the test that it runs, and waits until the test lets it go on. */
const gate = 'touch "$ASIDE/reached"; while [ -e "$ASIDE/shut" ]; do sleep 0.05; done'

test('a best-of paused while the promise runs in the tree: an edit before the resume is verified', async t => {
  const rig = makeRig(t)
  rig.write('../aside/shut', '')
  // The third run of the promise is the one in the tree.
  const slow = `echo >> "$ASIDE/runs"; [ "$(wc -l < "$ASIDE/runs")" -lt 3 ] || { ${gate}; }; grep -q good work.txt`
  const running = rig.spawn(bestOfArgs(work, slow, '-n', '1', '--no-input', '--no-baseline'))
  await until('the promise in the tree', () => existsSync(join(rig.aside, 'reached')))
  const id = onlyGroup(rig)
  assert.equal((await rig.loop(['pause', id])).code, 0)
  rmSync(join(rig.aside, 'shut'))
  await running.ended
  assert.deepEqual(kinds(rig).slice(-3), ['group.held', 'tree.checked', 'node.ended'])
  rig.write('work.txt', 'bad\n')
  const ended = await rig.loop(['resume', id, '--no-input'])
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  assert.ok(!kinds(rig).includes('group.completed'))
})

test('a hook is told that a best-of is complete: an edit from then on changes nothing', async t => {
  const rig = makeRig(t)
  const hook = ['--on-complete', 'echo "$LOOP_STATUS" >> "$ASIDE/told"']
  const id = await killedAt(rig, [...best, ...hook], { event: 'nodes.planned', at: checkedAt + 2 })
  rig.write('work.txt', 'bad\n')
  const ended = await rig.loop(['resume', id, '--no-input'])
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.equal(readFileSync(join(rig.aside, 'told'), 'utf8'), 'completed\n')
})

const flow = `name: two
loops:
  - id: left
    prompt: write left
    promise: grep -q good left.txt
    max_iterations: 1
  - id: right
    prompt: write right
    promise: grep -q good right.txt
    max_iterations: 1
`

test('a workflow killed after its last apply: an edit that breaks its promise sends its loop to work again', async t => {
  const rig = makeRig(t)
  const file = join(rig.aside, 'flow.yaml')
  rig.write('../aside/flow.yaml', flow)
  const agent = 'echo "$LOOP_NODE" >> "$ASIDE/runs"; echo good > $LOOP_NODE.txt'
  const args = ['workflow', 'run', file, '--agent', 'custom', '--agent-cmd', agent]
  const id = await killedAt(rig, args, { event: 'tree.checked', at: 20 })
  const last = planEvents(rig).findLast(event => event.kind === 'tree.checked')
  const name = last?.kind === 'tree.checked' ? last.data.node.replace('/apply', '') : ''
  rig.write(`${name}.txt`, 'bad\n')
  const ended = await rig.loop(['resume', id])
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.equal(readFileSync(join(rig.tree, `${name}.txt`), 'utf8'), 'good\n')
  const runs = readFileSync(join(rig.aside, 'runs'), 'utf8').trim().split('\n')
  assert.equal(runs.filter(run => run === name).length, 2)
})
