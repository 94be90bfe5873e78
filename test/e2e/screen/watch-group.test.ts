/** `loop watch` on a group, through a real pseudo-terminal: its lanes, its comparison, its graph, and its loops. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isPicture } from '../../rig/picture.ts'
import { keys, ptyOf } from '../../rig/pty.ts'
import { makeRig, startArgs, until } from '../../rig/rig.ts'

test('lanes with verdicts side by side, into a loop and back, and an attempt taken after a question', async t => {
  const rig = makeRig(t)
  rig.write('kept', 'before\n')
  const agent = 'echo "$LOOP_ATTEMPT" > work; [ "$LOOP_ATTEMPT" = 2 ] || echo more >> work'
  const start = startArgs(
    agent,
    'test -e work',
    '--best-of',
    '2',
    '-n',
    '1',
    '--plain',
    '--no-input',
    '--yes',
  )
  start[1] = 'make the total of the cart right'
  const ended = await rig.loop([...start, '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  const { id } = JSON.parse(ended.stdout)
  const screen = ptyOf(t, { rig, columns: 110, rows: 26 }, ['watch', id])
  await screen.shows(/│ 1-direct .* 2-/)
  assert.match(screen.text(), /✓ passed +✓ passed/)
  assert.match(screen.rows()[0] ?? '', new RegExp(`^ group ${id} {2}completed · `))
  await isPicture(screen, 'watch-best-of', id, ...rig.loops().filter(one => one !== id))
  screen.type('2')
  await screen.shows('ATTEMPT')
  screen.type('3')
  await screen.shows(/choose done/)
  screen.type(keys.enter)
  await screen.shows(/^ loop \w{6} {2}completed · iteration 1\/1/m)
  screen.type(keys.escape)
  await screen.shows(`group ${id}`)
  screen.type('1t')
  await screen.shows('Bring 1-direct into the work tree?')
  screen.type('y')
  await screen.shows(/1-direct is in the work tree/)
  screen.type('q')
  assert.equal(await screen.ended, 0)
  assert.ok(screen.all().some(line => line.startsWith(`group ${id}: completed`)))
})

const workflow = `name: release the shop
loops:
  - id: tests
    prompt: write the tests of the cart
    promise: test -e tests
  - id: cart
    prompt: make the cart pass them
    promise: test -e cart
    depends_on: [tests]
  - id: guide
    prompt: write the guide
    promise: test -e guide
    depends_on: [tests]
  - id: release
    prompt: write the notes of the release
    promise: test -e release
    depends_on: [cart, guide]
`

test('a workflow: its graph with states while it runs, what is at work selected, and the way into it', async t => {
  const rig = makeRig(t)
  const file = join(rig.aside, 'release.yaml')
  writeFileSync(file, workflow)
  const wait = '[ $LOOP_NODE != guide ] || while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done'
  const agent = `echo "at work on $LOOP_NODE"; ${wait}; touch $LOOP_NODE`
  const running = rig.spawn(['workflow', 'run', file, '--agent', 'custom', '--agent-cmd', agent, '--plain'])
  const id = await until('the group', () => rig.loops()[0])
  const screen = ptyOf(t, { rig, columns: 100, rows: 20 }, ['watch', id])
  await screen.shows(/✓ cart\/apply done/)
  await screen.shows(/● guide running/)
  assert.match(screen.text(), /✓ tests passed/)
  assert.match(screen.text(), /· release planned {2}after cart\/apply, guide\/apply/)
  assert.match(screen.text(), /^▸● guide /m)
  await isPicture(screen, 'watch-workflow', id)
  screen.type(keys.enter)
  await screen.shows('at work on guide')
  screen.type(keys.escape)
  await screen.shows(`group ${id}`)
  screen.type('x')
  await screen.shows(/end +guide \(\w{6}\)/)
  screen.type(keys.escape)
  writeFileSync(join(rig.aside, 'go'), '')
  await screen.shows(/^ group \w{6} {2}completed · /m)
  screen.type('q')
  assert.equal(await screen.ended, 0)
  assert.equal((await running.ended).code, 0)
})

test('a group is cancelled after a question that names its loops and files, which can be brought back', async t => {
  const rig = makeRig(t)
  const file = join(rig.aside, 'release.yaml')
  writeFileSync(file, workflow)
  const wait = '[ $LOOP_NODE = tests ] || while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done'
  const agent = `${wait}; touch $LOOP_NODE`
  rig.spawn(['workflow', 'run', file, '--agent', 'custom', '--agent-cmd', agent, '--plain'])
  const id = await until('the group', () => rig.loops()[0])
  const screen = ptyOf(t, { rig }, ['status', '-w'])
  await screen.shows(/running .* test -e guide/)
  await until('what the first loop made', () => existsSync(join(rig.tree, 'tests')))
  // The list opens the group, at its question.
  screen.type(`${keys.home}x`)
  await screen.shows(`Cancel group ${id}? Its agents are ended now.`)
  await screen.shows(/end +cart \(\w{6}\)/)
  assert.match(screen.text(), /To go back to initial, loop would:/)
  assert.match(screen.text(), /delete {2}tests$/m)
  assert.match(screen.text(), /y cancel, keep the files.* b cancel, bring back 1 file/s)
  screen.type(keys.escape)
  await until('no question', () => !screen.text().includes('Cancel group'))
  screen.type('x')
  await screen.shows(`Cancel group ${id}?`)
  screen.type('b')
  await screen.shows(/^ group \w{6} {2}cancelled · /m)
  await screen.shows(`Group ${id} is rolled back to initial.`)
  assert.equal(existsSync(join(rig.tree, 'tests')), false)
  screen.type('q')
  assert.equal(await screen.ended, 0)
})
