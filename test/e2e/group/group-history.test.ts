/**
 * The past of a group through the real program: `loop history` and `loop diff` of a workflow, of several attempts and
 * of an isolated run, `rollback --dry-run`, what can still be shown and picked after the retention, and Ctrl-C during a
 * hook.
 */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { marked } from '../../rig/daemon.ts'
import { bestOfArgs, cost, firstOr, onlyGroup } from '../../rig/group.ts'
import { makeRig, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'

const chain = `name: chain
loops:
  - id: first
    prompt: first
    promise: test -f first
  - id: left
    prompt: left
    promise: test -f left
    depends_on: [first]
  - id: right
    prompt: right
    promise: test -f right
    depends_on: [first]
on_complete:
  - "HOOK"
`

function runArgs(rig: Rig, { hook = 'true', agent = 'echo "of $LOOP_NODE" > $LOOP_NODE' } = {}): string[] {
  const file = join(rig.aside, 'flow.yaml')
  writeFileSync(file, chain.replace('HOOK', hook))
  return ['workflow', 'run', file, '--agent', 'custom', '--agent-cmd', agent]
}

async function said(rig: Rig, ...args: string[]): Promise<string> {
  const ended = await rig.loop(args)
  assert.equal(ended.code, 0, ended.stderr)
  return ended.stdout
}

const filesIn = (patch: string) => Array.from(patch.matchAll(/^\+\+\+ b\/(.*)$/gm), ([, file]) => file).sort()

test('a workflow: the changes of all, of one loop and between two; nodes and words of agents', async t => {
  const rig = makeRig(t)
  rig.write('before', 'b\n')
  const ran = await rig.loop(
    runArgs(rig, { agent: `echo "I made $LOOP_NODE"; echo x > $LOOP_NODE; ${cost(0.25)}` }),
  )
  assert.equal(ran.code, 0, ran.stderr)
  const id = onlyGroup(rig)
  assert.deepEqual(filesIn(await said(rig, 'diff', id)), ['first', 'left', 'right'])
  assert.deepEqual(filesIn(await said(rig, 'diff', id, 'first')), ['first'])
  assert.deepEqual(filesIn(await said(rig, 'history', id, '--diff', 'left')), ['left'])
  assert.deepEqual(filesIn(await said(rig, 'diff', id, 'initial..left')), ['first', 'left'])
  const wrong = await rig.loop(['diff', id, 'nobody'])
  assert.equal(wrong.code, 4)
  assert.match(
    wrong.stderr,
    new RegExp(`nobody is no result or checkpoint of group ${id}\\. It has: initial, .*left`),
  )

  const table = await said(rig, 'history', id)
  assert.match(table, /^NODE +KIND +LOOP-ID +STATE +ITER +DURATION +CHANGES +COST +RESULT$/m)
  assert.match(table, /^first +loop +\w{6} +completed +1 +\S+ +\+1 -0 \(1 file\) +\$0\.25/m)
  const { kind, program, nodes, loops, iterations } = JSON.parse(await said(rig, 'history', id, '--json'))
  assert.deepEqual([kind, program, loops.length, iterations], ['group', 'workflow', 3, undefined])
  const of = (node: string) => nodes.find((one: { id: string }) => one.id === node)
  assert.deepEqual([of('left').how, of('left').files, of('on_complete/1').exitCode], ['completed', 1, 0])
  assert.equal(loops[0].iterations[0].verdict, 'PASS')
  const verbose = await said(rig, 'history', id, '-v')
  for (const node of ['first', 'left', 'right'])
    assert.match(verbose, new RegExp(`=== ${node}, loop \\w{6}\\n[^]*I made ${node}\\n`))

  const dry = JSON.parse(await said(rig, 'rollback', id, 'initial', '--dry-run', '--json'))
  dry.deleted.sort()
  assert.deepEqual(dry, { id, to: 'initial', written: [], deleted: ['first', 'left', 'right'], left: [] })
  assert.match(
    await said(rig, 'rollback', id, 'initial', '--dry-run'),
    /Nothing was touched\.\n {2}delete {2}\w+\n/,
  )
  assert.ok(existsSync(join(rig.tree, 'right')))
})

test('an isolated run answers as its one loop does', async t => {
  const rig = makeRig(t)
  const agent = 'echo "$LOOP_ITERATION" >> work'
  const ran = await rig.loop(startArgs(agent, 'test "$(wc -l < work)" -ge 2', '--isolated'))
  assert.equal(ran.code, 0, ran.stderr)
  const id = onlyGroup(rig)
  const history = await said(rig, 'history', id)
  assert.match(history, /^ITER +CHECKPOINT +PROMISE.*\n1 +iter-001 +FAIL.*\n2 +iter-002 +PASS ✓/m)
  assert.match(history, /^apply +apply +– +completed/m)
  assert.equal(JSON.parse(await said(rig, 'history', id, '--json')).iterations.length, 2)
  assert.match(await said(rig, 'diff', id, '2..iter-002-after'), /^ 1\n\+2\n/m)
  assert.match(await said(rig, 'diff', id), /^\+1\n\+2\n/m)
})

test('results of a group that the retention deleted cannot be picked, shown or restored, and loop says so', async t => {
  const rig = makeRig(t)
  const ran = await rig.loop(
    bestOfArgs(firstOr('echo a > done', 'echo bb > done; echo c > more'), 'test -f done'),
  )
  assert.equal(ran.code, 0, ran.stderr)
  const id = onlyGroup(rig)
  const [other] = /2-[\w-]+/.exec(await said(rig, 'compare', id)) ?? []
  await said(rig, 'gc', '--checkpoint-retention', '1ms', '--keep-ends')
  const gone = new RegExp(
    `^loop: What group ${id} saved as ${other} is gone: loop gc threw it away on \\S+ \\S+ UTC \\(checkpoint_retention\\)\\.\\n`,
  )
  for (const args of [
    ['pick', id, '2'],
    ['pick', id, '2', '--file', 'more'],
    ['diff', id, '2'],
  ]) {
    const refused = await rig.loop(args)
    assert.equal(refused.code, 4, args.join(' '))
    assert.match(refused.stderr, gone, args.join(' '))
  }
  assert.deepEqual(filesIn(await said(rig, 'diff', id)), ['done'], 'what is in the tree can still be seen')
  await said(rig, 'rollback', id, 'initial')
  await said(rig, 'gc', '--checkpoint-retention', '1ms')
  const lost = await rig.loop(['rollback', id, 'initial', '--dry-run'])
  assert.match(lost.stderr, new RegExp(`What group ${id} saved as initial is gone`))
  assert.ok(
    rig.events(id).every(({ kind }) => String(kind) !== 'pick.asked'),
    'nothing was begun',
  )
})

test('Ctrl-C while only a hook is left stops the hook, and the group keeps its result', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(runArgs(rig, { hook: 'touch $ASIDE/up; exec sleep 600' }))
  await until('the hook', () => existsSync(join(rig.aside, 'up')))
  const id = onlyGroup(rig)
  process.kill(running.pid, 'SIGINT')
  const ended = await running.ended
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stderr, /on_complete\/1 is ended: it was stopped by you/)
  assert.match(ended.stdout, new RegExp(`^Group ${id} completed`, 'm'))
  assert.deepEqual(marked(id, ['LOOP_HOOK']), [])
})

test('the budget is used up: an attempt that has passed is applied, the others are not waited for', async t => {
  const rig = makeRig(t)
  const agent = firstOr(`echo x > done; ${cost(2)}`, `echo x >> other; ${cost(2)}`)
  const ran = await rig.loop(bestOfArgs(agent, 'test -f done', '--budget', '3'))
  assert.equal(ran.code, 0, ran.stderr)
  assert.equal(readOr(join(rig.tree, 'done')), 'x\n')
  assert.match(ran.stdout, /2-[\w-]+ +\w{6} +cancelled: the budget of the group is spent/)
  const [group] = JSON.parse(await said(rig, 'status', '--json'))
  const late = group.members[1].id
  const poor = await rig.loop(['resume', late])
  assert.equal(poor.code, 1, poor.stdout)
  assert.match(poor.stdout, new RegExp(`loop resume ${late} --budget <usd>`))
  const runs = () => rig.events(late).filter(({ kind }) => kind === 'run.started').length
  const before = runs()
  await rig.loop(['resume', late, '--budget', '99', '-n', String(before + 1)])
  assert.equal(runs(), before + 1, 'with money of its own it goes on')
})
