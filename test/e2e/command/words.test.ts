/**
 * Small hints to a person who looks: a pause that is pending, a list without matches, another command that would do it.
 */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathsFrom } from '../../../src/store/files/paths.ts'
import { openStore } from '../../../src/store/sqlite/open.ts'
import { nextEntry, writeLoop } from '../../rig/given.ts'
import { makeRig, startArgs, until } from '../../rig/rig.ts'

test('status says that a loop will pause after its iteration', async t => {
  const rig = makeRig(t)
  const agent = 'touch "$ASIDE/up"; until [ -f "$ASIDE/go" ]; do sleep 0.02; done'
  const running = rig.spawn(startArgs(agent, 'false'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  assert.equal((await rig.loop(['pause', '@last'])).code, 0)
  const [id = ''] = rig.loops()
  const { stdout } = await rig.loop(['status', id])
  assert.equal(stdout.split('\n')[0], `loop ${id}: running (pauses after this iteration)`)
  assert.equal(
    JSON.parse((await rig.loop(['status', '--json'])).stdout)[0].reason,
    'pauses after this iteration',
  )
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await running.ended).code, 2)
  const { stdout: paused } = await rig.loop(['status', id])
  assert.equal(paused.split('\n')[0], `loop ${id}: paused (paused by you)`)
})

test('a list that nothing matches does not say that there are no loops', async t => {
  const rig = makeRig(t)
  assert.match((await rig.loop(['list'])).stdout, /^No loops\. Start one with/)
  await rig.loop(startArgs('true', 'true'))
  const { code, stdout } = await rig.loop(['list', '--status', 'failed'])
  assert.deepEqual([code, stdout], [0, 'No loop matches. All there are: loop list\n'])
  assert.equal((await rig.loop(['list', '--status', 'failed', '--json'])).stdout, '[]\n')
})

test('cancel --rollback of a loop that has ended says how to bring back the files', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('echo x >> work', 'false', '-n', '1'))
  const [id = ''] = rig.loops()
  const { code, stderr } = await rig.loop(['cancel', id, '--rollback'])
  assert.equal(code, 4)
  assert.equal(
    stderr,
    `loop: Loop ${id} cannot be cancelled: it has already ended: failed. To bring back the files: loop rollback ${id} initial.\n`,
  )
})

test('status --watch tells each change of a loop once, and ends when it rests', async t => {
  const rig = makeRig(t)
  const agent = 'touch "$ASIDE/up"; until [ -f "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work'
  const running = rig.spawn(startArgs(agent, 'test -s work', '--no-baseline'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  const one = rig.spawn(['status', id, '-w', '--json'])
  const all = rig.spawn(['status', '--watch'])
  await until(
    'the first view',
    () => one.stdout() !== '' && new RegExp(`^${id} +running `, 'm').test(all.stdout()),
  )
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await running.ended).code, 0)
  const { code, stdout } = await one.ended
  const statuses = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).status)
  assert.deepEqual([code, statuses[0], statuses.at(-1)], [0, 'running', 'completed'])
  await until('the last view', () => new RegExp(`^${id} +completed `, 'm').test(all.stdout()))
  assert.equal(all.stdout().split('LOOP-ID').length, all.stdout().split(id).length, 'one row in each view')
  all.child.kill('SIGINT')
  assert.equal((await all.ended).signal, 'SIGINT')
})

test('status --watch tells that another agent works on a loop', async t => {
  const rig = makeRig(t)
  const store = openStore(pathsFrom(rig.env))
  assert.ok(store.ok)
  t.after(() => store.value.close())
  const state = writeLoop(store.value, { id: 'aaaaaa' })
  const all = rig.spawn(['status', '--watch'])
  const view = (agent: string) => () => new RegExp(`^aaaaaa .* ${agent} `, 'm').test(all.stdout())
  await until('the first view', view('custom'))
  store.value.journals.append(
    nextEntry(state, { kind: 'agent.switched', data: { to: 'codex', why: 'a limit' } }),
  )
  await until('the second view', view('codex'))
  all.child.kill('SIGINT')
  await all.ended
})
