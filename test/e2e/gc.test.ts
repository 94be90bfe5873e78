/** `loop gc`: what it would free, what it frees, and what it leaves alone. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, readOr, startArgs, until } from '../rig.ts'

const agent = 'head -c 100000 /dev/urandom | base64 > "file-$LOOP_ITERATION"'

function stores(rig: Rig): string[] {
  const trees = rig.paths.trees
  return readdirSync(trees).flatMap(name =>
    existsSync(join(trees, name, 'git')) ? [join(trees, name, 'git')] : [],
  )
}

function refs(rig: Rig): string[] {
  return stores(rig).flatMap(store => readdirSync(join(store, 'refs/loop')))
}

test('says what it would free, frees it, and then there is nothing more', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, 'false', '-n', '2', '--no-baseline'))
  const [id = ''] = rig.loops()
  const young = await rig.loop(['gc'])
  const words = 'Nothing to throw away: there are no checkpoints of loops that ended more than 24h ago.\n'
  assert.equal(young.stdout, words)
  const dry = JSON.parse(
    (await rig.loop(['gc', '--checkpoint-retention', '1ms', '--dry-run', '--json'])).stdout,
  )
  assert.ok(dry.bytes > 200_000 && dry.checkpoints >= 4, JSON.stringify(dry))
  assert.deepEqual(refs(rig), [id], 'a dry run throws nothing away')
  const done = await rig.loop(['gc', '--checkpoint-retention', '1ms'])
  assert.equal(done.code, 0)
  assert.match(done.stdout, /Freed about .*: \d+ checkpoints of loops that ended more than/)
  assert.deepEqual(stores(rig), [])
  assert.match((await rig.loop(['rollback', id, 'initial'])).stderr, /The checkpoint is gone/)
})

test('while a loop is at work in a tree, nothing of that tree is thrown away', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, 'false', '-n', '1', '--no-baseline'))
  const running = rig.spawn(startArgs('touch "$ASIDE/up"; sleep 600', 'false', '--no-baseline'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const before = refs(rig).sort()
  assert.equal(before.length, 2)
  const kept = await rig.loop(['gc', '--checkpoint-retention', '1ms'])
  assert.match(kept.stdout, /left alone: a loop there has not ended/)
  assert.deepEqual(refs(rig).sort(), before)
  await rig.loop(['cancel', rig.loops().find(id => rig.events(id).at(-1)?.kind !== 'loop.failed') ?? ''])
  await running.ended
})

test('what is left of a loop nobody knows goes; what is kept can still be restored', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, 'false', '-n', '1', '--no-baseline'))
  const [old = ''] = rig.loops()
  writeFileSync(join(rig.tree, 'kept'), 'kept\n')
  await rig.loop(startArgs('rm -f kept', 'false', '-n', '1', '--no-baseline'))
  const young = rig.loops().find(id => id !== old) ?? ''
  const [store = ''] = stores(rig)
  renameSync(join(store, 'refs/loop', old), join(store, 'refs/loop/zzzzzz'))
  assert.match((await rig.loop(['gc'])).stdout, /Freed about/)
  assert.deepEqual(refs(rig), [young])
  assert.equal((await rig.loop(['rollback', young, 'initial'])).code, 0)
  assert.equal(readOr(join(rig.tree, 'kept')), 'kept\n')
})
