/** Messages to a loop from another terminal: pause and inject, with and without a host. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'

/** An agent that keeps its prompt in `prompt-N`, then waits for `go-N`. */
const agent = [
  'cat > "$ASIDE/got"; mv "$ASIDE/got" "$ASIDE/prompt-$LOOP_ITERATION"; echo x >> work',
  'while [ ! -e "$ASIDE/go-$LOOP_ITERATION" ]; do sleep 0.02; done',
].join('; ')

const said = (rig: Rig, n: number) => readFileSync(join(rig.aside, `prompt-${n}`), 'utf8')
const reached = (rig: Rig, n: number) =>
  until(`iteration ${n}`, () => existsSync(join(rig.aside, `prompt-${n}`)))
const go = (rig: Rig, n: number) => writeFileSync(join(rig.aside, `go-${n}`), '')

test('injected texts are in the next prompt, once and in their order', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(startArgs(agent, 'test "$(wc -l < work)" = 3', '--no-baseline', '--plain'))
  await reached(rig, 1)
  const [id = ''] = rig.loops()
  writeFileSync(join(rig.aside, 'hints'), 'second: mock the database\n')
  const first = await rig.loop(['inject', id, 'first: look at "UserService"'])
  assert.deepEqual([first.code, first.stdout], [0, `Loop ${id}: the agent will be told in iteration 2.\n`])
  assert.equal((await rig.loop(['inject', id, '--file', join(rig.aside, 'hints')])).code, 0)
  go(rig, 1)
  await reached(rig, 2)
  assert.match(
    said(rig, 2),
    /## Also\n\nfirst: look at "UserService"\n\nsecond: mock the database\n\n## Done when/,
  )
  assert.doesNotMatch(said(rig, 1), /## Also/)
  go(rig, 2)
  await reached(rig, 3)
  assert.doesNotMatch(said(rig, 3), /## Also/)
  go(rig, 3)
  assert.equal((await running.ended).code, 0)
  const late = await rig.loop(['inject', id, 'too late'])
  assert.deepEqual(
    [late.code, late.stderr],
    [4, `loop: Loop ${id} cannot be told anything: it has completed.\n`],
  )
})

test('pause from another terminal rests after the iteration; a paused loop can be told things, and resumed', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(startArgs(agent, 'test "$(wc -l < work)" = 2', '--no-baseline', '--plain'))
  await reached(rig, 1)
  const [id = ''] = rig.loops()
  const paused = await rig.loop(['pause', id])
  assert.deepEqual(
    [paused.code, paused.stdout],
    [0, `Loop ${id} pauses after this iteration. Go on with: loop resume ${id}\n`],
  )
  const again = await rig.loop(['pause', id])
  assert.deepEqual(
    [again.code, again.stderr],
    [4, `loop: Loop ${id} cannot be paused: it pauses after this iteration already.\n`],
  )
  const asJson = await rig.loop(['pause', id, '--json'])
  const { facts } = JSON.parse(asJson.stderr).error
  assert.deepEqual(
    facts,
    { kind: 'refused', id, asked: 'pause', because: { kind: 'pauses-already' } },
    'as the host recorded it',
  )
  go(rig, 1)
  const rested = await running.ended
  assert.equal(rested.code, 2)
  assert.match(rested.stderr, /^ {2}cannot pause: it pauses after this iteration already$/m)
  assert.equal((await rig.loop(['inject', id, 'while you slept'])).code, 0)
  go(rig, 2)
  assert.equal((await rig.loop(['resume', id, '--plain'])).code, 0)
  assert.match(said(rig, 2), /while you slept/)
})

test('a pause that has not begun yet is taken back by resume: the loop goes on under its host', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(startArgs(agent, 'test "$(wc -l < work)" = 2', '--no-baseline', '--plain'))
  await reached(rig, 1)
  const [id = ''] = rig.loops()
  await rig.loop(['pause', id])
  const resumed = await rig.loop(['resume', id])
  assert.deepEqual([resumed.code, resumed.stdout], [0, `Loop ${id} goes on without a pause.\n`])
  const again = await rig.loop(['resume', id])
  assert.match(again.stderr, /is already driven by process/)
  go(rig, 1)
  go(rig, 2)
  assert.equal((await running.ended).code, 0)
})

test('a loop whose host died cannot be paused: no process would see the end of its iteration', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(startArgs(agent, 'false', '--no-baseline', '--plain'))
  await reached(rig, 1)
  running.child.kill('SIGKILL')
  await running.ended
  const [id = ''] = rig.loops()
  const refused = await rig.loop(['pause', id])
  assert.deepEqual(
    [refused.code, refused.stderr],
    [
      4,
      `loop: Loop ${id} cannot be paused: no process hosts it any more. Go on with: loop resume ${id}; end it with: loop cancel ${id}.\n`,
    ],
  )
  assert.match((await rig.loop(['rollback', id, 'initial'])).stderr, /end it first: loop cancel/)
  const cancelled = await rig.loop(['cancel', id])
  assert.equal(cancelled.code, 0, cancelled.stderr)
})

test('inject wants exactly one text', async t => {
  const rig = makeRig(t)
  for (const args of [['x'], ['x', 'a', '--file', 'b'], ['x', 'a', 'b'], ['x', ' ']]) {
    assert.equal((await rig.loop(['inject', ...args])).code, 4, args.join(' '))
  }
})
