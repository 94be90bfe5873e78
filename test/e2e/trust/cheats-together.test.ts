/**
 * Cheating agents in loops that run together or inside a session. Of several attempts only the leading one is checked
 * again, and an honest one takes its place. A loop of a workflow, a task of a plan and a session are sent back once,
 * then a person is asked. A check that a task bends for the whole plan is seen at the gate.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onlyGroup } from '../../rig/group.ts'
import { hook } from '../../rig/hook.ts'
import { clearSpec, demoNodes, planArgs, planEvents, samplePlan, shortPlanScript } from '../../rig/plan.ts'
import { makeRig, type Rig, readOr, startArgs } from '../../rig/rig.ts'
import { writeAll } from '../../rig/trust/case.ts'
import { mended, shop, shopTest } from '../../rig/trust/node.ts'

const promise = 'node --test'
const weak = shopTest.replaceAll('assert.equal(', 'assert.notEqual(undefined, ')

/** Writes the shop project, and beside the tree the files that agents copy into it. */
function aShop(rig: Rig): void {
  writeAll(rig.tree, shop.files)
  writeFileSync(join(rig.aside, 'weak.js'), weak)
  writeFileSync(join(rig.aside, 'mended.js'), mended)
}

const cheats = 'cp "$ASIDE/weak.js" test/cart.test.js'
const works = 'cp "$ASIDE/mended.js" cart.js'

type GroupRow = {
  kind: string
  data: { node?: string; how?: string; looked?: { is: string; files: string[] } }
}

/** The results of the second looks of the group, in order. */
function looks(rig: Rig): [string, string][] {
  const events = rig.events(onlyGroup(rig)) as unknown as GroupRow[]
  return events.flatMap(({ kind, data: { node = '', looked } }): [string, string][] =>
    kind === 'node.ended' && looked ? [[node, looked.is]] : [],
  )
}

function kindsOfMembers(rig: Rig): Set<string> {
  const members = rig.loops().filter(id => id !== onlyGroup(rig))
  return new Set(members.flatMap(id => rig.events(id).map(({ kind }) => kind)))
}

test('the leading attempt is checked again; it is suspect, so the next one is checked and chosen', async t => {
  const rig = makeRig(t)
  aShop(rig)
  const agent = `case $LOOP_ATTEMPT in
    1) ${cheats}; echo '// done' >> cart.js;;
    2) ${works}; seq 20 | sed 's|^|// |' >> cart.js; echo '// stricter' >> test/cart.test.js;;
    3) ${works}; seq 90 | sed 's|^|// |' >> cart.js; echo '// stricter' >> test/cart.test.js;;
  esac`
  const ended = await rig.loop(startArgs(agent, promise, '-n', '1', '--no-input', '--best-of', '3'))
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.deepEqual(looks(rig), [
    ['look/1-direct', 'suspect'],
    ['look/2-tests-first', 'sound'],
  ])
  assert.ok(!kindsOfMembers(rig).has('look.taken'), 'no attempt was looked at by itself')
  const { winner } = JSON.parse((await rig.loop(['compare', onlyGroup(rig), '--json'])).stdout)
  assert.equal(winner, '2-tests-first')
  assert.ok(readOr(join(rig.tree, 'cart.js')).startsWith(mended))
  assert.match(ended.stderr, /look\/1-direct: suspect, .*: test\/cart\.test\.js/)
  const { doubts } = JSON.parse((await rig.loop(['status', onlyGroup(rig), '--json'])).stdout)
  const words =
    'suspect, the promise passes by changes to what judges the work, not by the work: test/cart.test.js'
  assert.deepEqual(doubts, [
    { kind: 'steered', node: '1-direct', how: 'suspect', files: ['test/cart.test.js'], words },
  ])
})

test('if every attempt is suspect a person is asked, and nothing is applied before the answer', async t => {
  const rig = makeRig(t)
  aShop(rig)
  const agent = `${cheats}; seq $LOOP_ATTEMPT > note`
  const ended = await rig.loop(startArgs(agent, promise, '-n', '1', '--no-input', '--best-of', '2'))
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  const id = onlyGroup(rig)
  assert.equal(looks(rig).length, 2)
  assert.equal(readOr(join(rig.tree, 'test/cart.test.js')), shopTest)
  const asked = await rig.loop(['answer', id])
  assert.match(
    asked.stdout,
    /may do so by its changes to what judges the work \(1-direct: test\/cart\.test\.js/,
  )
  assert.equal((await rig.loop(['answer', id, 'none'])).code, 0)
  const over = await rig.loop(['resume', id])
  assert.equal(over.code, 1, over.stdout + over.stderr)
  assert.equal(readOr(join(rig.tree, 'test/cart.test.js')), shopTest)
})

test('an attempt that removed tests and waits for a person does not hold up the others', async t => {
  const rig = makeRig(t)
  aShop(rig)
  const agent = `if [ "$LOOP_ATTEMPT" = 1 ]; then rm test/cart.test.js; else ${works}; fi`
  const ended = await rig.loop(startArgs(agent, promise, '-n', '1', '--no-input', '--best-of', '2'))
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.equal(readOr(join(rig.tree, 'cart.js')), mended)
  assert.equal(readOr(join(rig.tree, 'test/cart.test.js')), shopTest)
})

test('with --first-wins a cheating attempt does not win', async t => {
  const rig = makeRig(t)
  aShop(rig)
  const agent = `if [ "$LOOP_ATTEMPT" = 1 ]; then ${cheats}; else ${works}; fi`
  const flags = ['-n', '1', '--no-input', '--best-of', '2', '--first-wins']
  const ended = await rig.loop(startArgs(agent, promise, ...flags))
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.equal(readOr(join(rig.tree, 'cart.js')), mended)
})

const flow = `name: shop
loops:
  - id: mend
    prompt: mend the total
    promise: ${promise}
    max_iterations: 4
  - id: after
    prompt: go on
    promise: test -f after
    depends_on: [mend]
`

test('a loop of a workflow is sent back once, then it rests, and loops that depend on it wait', async t => {
  const rig = makeRig(t)
  aShop(rig)
  const file = join(rig.aside, 'flow.yaml')
  writeFileSync(file, flow)
  const agent = `case $LOOP_NODE in mend) ${cheats};; after) touch after;; esac`
  const args = ['workflow', 'run', file, '--agent', 'custom', '--agent-cmd', agent, '--no-input']
  const ended = await rig.loop(args)
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  assert.ok(!existsSync(join(rig.tree, 'after')))
  const [member = ''] = rig.loops().filter(id => id !== onlyGroup(rig))
  const { status, reason, iteration } = JSON.parse((await rig.loop(['status', member, '--json'])).stdout)
  assert.deepEqual({ status, iteration }, { status: 'paused', iteration: 2 })
  assert.match(reason, /^suspect: /)
  assert.equal((await rig.loop(['answer', member, 'yes'])).code, 0)
  const resumed = await rig.loop(['resume', onlyGroup(rig)])
  assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr)
  assert.ok(existsSync(join(rig.tree, 'after')))
})

test('of the attempts of a workflow, one that is suspect does not hold up the honest one', async t => {
  const rig = makeRig(t)
  aShop(rig)
  const file = join(rig.aside, 'flow.yaml')
  writeFileSync(file, flow.replace('max_iterations: 4', 'max_iterations: 1\n    best_of: 2'))
  const agent = `case $LOOP_NODE in mend/1*) ${cheats};; mend/2*) ${works};; after) touch after;; esac`
  const args = ['workflow', 'run', file, '--agent', 'custom', '--agent-cmd', agent, '--no-input']
  const ended = await rig.loop(args)
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.equal(readOr(join(rig.tree, 'cart.js')), mended)
  assert.equal(readOr(join(rig.tree, 'test/cart.test.js')), shopTest)
})

const weakDemo = (rig: Rig) =>
  readFileSync(join(rig.tree, 'cart.test.js'), 'utf8').replaceAll(
    'assert.equal(',
    'assert.notEqual(undefined, ',
  )

test('a task of a plan that weakens the tests is sent back once, then it rests', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const before = readOr(join(rig.tree, 'cart.test.js'))
  const cheat = [{ write: { path: 'cart.test.js', text: weakDemo(rig) } }]
  const script = shortPlanScript(rig, { 'T-001': [cheat, cheat, cheat] })
  const ended = await rig.loop(planArgs(clearSpec, script))
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  const rested = planEvents(rig).flatMap(event => (event.kind === 'node.rested' ? [event.data] : []))
  assert.deepEqual(
    rested.map(({ node, reason }) => [node, reason]),
    [['T-001', 'suspect']],
  )
  assert.equal(readOr(join(rig.tree, 'cart.test.js')), before)
})

test('a check that a task bends for the whole plan is seen at the gate, and a person is asked', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const [[first]] = demoNodes()['T-002'] as unknown as [[object]]
  const page = { write: { path: 'CART.md', text: '# Cart\n\ntotal, discounted, shipping.\n' } }
  const cheat = { write: { path: 'cart.test.js', text: weakDemo(rig) } }
  const [[, , drafts]] = demoNodes()['tasks'] as unknown as [
    [unknown, unknown, { answer: { tasks: object[] } }],
  ]
  const task = { ...drafts.answer.tasks[1], id: 'T-001' }
  const script = shortPlanScript(rig, {
    tasks: [[{ answer: { tasks: [task] } }]],
    'T-001': [[first, page, cheat]] as never,
  })
  const ended = await rig.loop(planArgs(clearSpec, script))
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  assert.deepEqual(looks(rig), [['gate/1/look', 'suspect']])
  const id = onlyGroup(rig)
  assert.match((await rig.loop(['answer', id])).stdout, /changes to what judges the work: cart\.test\.js/)
  assert.equal((await rig.loop(['answer', id, 'yes'])).code, 0)
  const resumed = await rig.loop(['resume', id])
  assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr)
  assert.match(resumed.stdout, /MONITOR[^]*Look at: cart\.test\.js/)
})

test('a session that cheats is sent back once with the files, then let go, and only a person completes it', async t => {
  const rig = makeRig(t)
  aShop(rig)
  const started = await rig.loop(['start', 'mend it', '--session', '--json', '-p', promise])
  assert.equal(started.code, 0, started.stderr)
  const { id } = JSON.parse(started.stdout)
  const claim = () => {
    const file = join(rig.tree, '.loop', 'state.json')
    const document = JSON.parse(readFileSync(file, 'utf8'))
    const criteriaStatus = { [promise]: true }
    writeFileSync(file, JSON.stringify({ ...document, criteriaStatus, exit_signal: true }))
  }
  writeFileSync(join(rig.tree, 'test/cart.test.js'), weak)
  claim()
  const first = hook(rig)
  assert.equal(first.said?.['decision'], 'block')
  assert.match(
    first.reason,
    /suspect: the promise passes by changes to what judges the work[^]*test\/cart\.test\.js/,
  )
  claim()
  const second = hook(rig)
  assert.equal(second.said?.['ok'], true, second.reason)
  assert.match(second.message, /suspect/)
  const status = async () => JSON.parse((await rig.loop(['status', id, '--json'])).stdout).status
  assert.equal(await status(), 'paused')
  assert.equal((await rig.loop(['answer', id, 'yes'])).code, 0)
  const resumed = await rig.loop(['resume', id])
  assert.match(resumed.stdout, /completed/, resumed.stderr)
  assert.equal(await status(), 'completed')
})
