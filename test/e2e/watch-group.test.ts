/** `loop watch` on a group, through a real pseudo-terminal: its lanes, its comparison, its graph, and the loops in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keys, ptyOf } from '../rig/pty.ts'
import { makeRig, startArgs, until } from '../rig/rig.ts'

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
  const ended = await rig.loop([...start, '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  const { id } = JSON.parse(ended.stdout)
  const screen = ptyOf(t, { rig, columns: 110, rows: 26 }, ['watch', id])
  const shows = (what: string | RegExp) =>
    until(String(what), () =>
      typeof what === 'string' ? screen.text().includes(what) : what.test(screen.text()),
    )
  await shows(/│ 1-direct .* 2-/)
  assert.match(screen.text(), /✓ passed +✓ passed/)
  assert.match(screen.rows()[0] ?? '', new RegExp(`^ group ${id} {2}completed · `))
  screen.type('2')
  await shows('ATTEMPT')
  screen.type('3')
  await shows(/choose done/)
  screen.type(keys.enter)
  await shows(/^ loop \w{6} {2}completed · iteration 1\/1/m)
  screen.type(keys.escape)
  await shows(`group ${id}`)
  screen.type('1t')
  await shows('Bring 1-direct into the work tree?')
  screen.type('y')
  await shows(/1-direct is in the work tree/)
  screen.type('q')
  assert.equal(await screen.ended, 0)
  assert.ok(screen.all().some(line => line.startsWith(`group ${id}: completed`)))
})
