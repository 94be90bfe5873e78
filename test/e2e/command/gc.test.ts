/** `loop gc`: what it would free, what it frees, and what it leaves alone. */
import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'

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
  const words = 'Nothing to delete: there are no checkpoints of loops that ended more than 24h ago.\n'
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
  assert.match((await rig.loop(['rollback', id, 'initial'])).stderr, /Checkpoint initial of loop \w+ is gone/)
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

/** Another loop whose journal is lost: its checkpoints have a name that the store does not know. */
function loseJournal(rig: Rig, id: string, ageMs: number): void {
  const [store = ''] = stores(rig)
  const lost = join(store, 'refs/loop/zzzzzz')
  renameSync(join(store, 'refs/loop', id), lost)
  const time = new Date(Date.now() - ageMs)
  for (const path of [...readdirSync(lost).map(name => join(lost, name)), lost]) utimesSync(path, time, time)
}

test('checkpoints of a loop that the store does not know stay until a person says yes', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, 'false', '-n', '1', '--no-baseline'))
  const [old = ''] = rig.loops()
  writeFileSync(join(rig.tree, 'kept'), 'kept\n')
  await rig.loop(startArgs('rm -f kept', 'false', '-n', '1', '--no-baseline'))
  const young = rig.loops().find(id => id !== old) ?? ''
  loseJournal(rig, old, 0)
  assert.match(
    (await rig.loop(['gc', '--yes'])).stdout,
    /^Nothing to delete/,
    'a young one stays in any case',
  )
  loseJournal(rig, 'zzzzzz', 48 * 3_600_000)
  const asked = await rig.loop(['gc'])
  assert.match(asked.stdout, /The store does not know the loops of 3 checkpoints: .*loop gc --yes\n$/)
  for (const how of [['--keep-ends', '--yes'], ['--dry-run', '--yes'], ['--json']])
    await rig.loop(['gc', ...how])
  assert.deepEqual(refs(rig).sort(), [young, 'zzzzzz'].sort())
  assert.match((await rig.loop(['gc', '--yes'])).stdout, /Deleted of loops that the store does not know/)
  assert.deepEqual(refs(rig), [young])
  assert.equal((await rig.loop(['rollback', young, 'initial'])).code, 0)
  assert.equal(readOr(join(rig.tree, 'kept')), 'kept\n')
})

test('an emptied store beside its backups is a lost one: nothing is collected, and a restore brings it back', async t => {
  const rig = makeRig(t)
  writeFileSync(join(rig.tree, 'precious'), 'mine\n')
  await rig.loop(startArgs('rm precious', 'false', '-n', '1', '--no-baseline'))
  const [id = ''] = rig.loops()
  for (const end of ['-wal', '-shm']) rmSync(`${rig.paths.database}${end}`, { force: true })
  writeFileSync(rig.paths.database, '')
  for (const args of [['gc', '--checkpoint-retention', '0s', '--yes'], ['status'], ['history', id]]) {
    const refused = await rig.loop(args)
    assert.notEqual(refused.code, 0, args.join(' '))
    assert.match(refused.stderr, /is gone or empty, but there are backups.*loop doctor --restore/)
  }
  assert.deepEqual(refs(rig), [id])
  assert.equal((await rig.loop(['doctor', '--restore'])).code, 0)
  assert.equal((await rig.loop(['rollback', id, 'initial'])).code, 0)
  assert.equal(readOr(join(rig.tree, 'precious')), 'mine\n')
})

test('of a loop whose newest events were lost, what was written after its known end stays', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, 'false', '-n', '2', '--no-baseline'))
  const [id = ''] = rig.loops()
  const ended = rig.events(id).at(-1)?.at ?? 0
  const retention = ['--checkpoint-retention', '2s', '--output-retention', '2s']
  await until('the retention to be over', () => Date.now() - ended > 2_500)
  const [store = ''] = stores(rig)
  // As an iteration that a restored backup does not know has left them.
  copyFileSync(join(store, 'refs/loop', id, 'iter-001'), join(store, 'refs/loop', id, 'iter-003'))
  mkdirSync(join(rig.dir(id), 'runs', '3.unrecorded'))
  const before = names(rig, id)
  await rig.loop(['gc', '--keep-ends', ...retention])
  assert.deepEqual(names(rig, id), before)
  assert.ok(existsSync(join(rig.dir(id), 'runs', '1')))
  const old = new Date(ended - 60_000)
  const young = [join(store, 'refs/loop', id), join(store, 'refs/loop', id, 'iter-003')]
  const runs = join(rig.dir(id), 'runs')
  for (const path of [...young, runs, join(runs, '3.unrecorded')]) utimesSync(path, old, old)
  await rig.loop(['gc', '--keep-ends', ...retention])
  assert.deepEqual(names(rig, id), ['initial', 'iter-002-after'])
  assert.ok(!existsSync(runs))
})

function names(rig: Rig, id: string): string[] {
  return stores(rig).flatMap(store => readdirSync(join(store, 'refs/loop', id)).sort())
}

test('without loopd: the end of a loop deletes old checkpoints, but not the first and the last', async t => {
  const rig = makeRig(t)
  mkdirSync(dirname(rig.paths.config), { recursive: true })
  writeFileSync(rig.paths.config, 'checkpoint_retention: 1ms\n')
  await rig.loop(startArgs(agent, 'false', '-n', '2', '--no-baseline'))
  const [first = ''] = rig.loops()
  assert.deepEqual(names(rig, first), ['initial', 'iter-002-after'])
  await rig.loop(startArgs(agent, 'false', '-n', '1', '--no-baseline'))
  const second = rig.loops().find(id => id !== first) ?? ''
  assert.equal(names(rig, second).length, 3, 'at most once an hour')
  assert.equal((await rig.loop(['rollback', first, 'initial'])).code, 0)
  assert.deepEqual(
    readdirSync(rig.tree).filter(name => name.startsWith('file-')),
    [],
  )
  await rig.loop(['gc'])
  assert.deepEqual(stores(rig), [], 'whoever asks for it frees everything')
})

test('outputs go after a time of their own, and logs says so; history stays', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('echo "said $LOOP_ITERATION"', 'false', '-n', '1', '--no-baseline'))
  const [id = ''] = rig.loops()
  assert.match((await rig.loop(['gc', '--checkpoint-retention', '1ms'])).stdout, /^ +\d+ checkpoints/)
  assert.match((await rig.loop(['logs', id])).stdout, /said 1/)
  const dry = JSON.parse((await rig.loop(['gc', '--output-retention', '1ms', '--dry-run', '--json'])).stdout)
  assert.deepEqual(
    dry.outputs.map(({ path }: { path: string }) => path),
    [rig.dir(id)],
  )
  assert.match((await rig.loop(['logs', id])).stdout, /said 1/, 'a dry run throws nothing away')
  const done = await rig.loop(['gc', '--output-retention', '1ms'])
  assert.match(done.stdout, /Freed about .*: the output of 1 loop\.\n$/)
  const gone = await rig.loop(['logs', id])
  assert.deepEqual([gone.code, gone.stdout], [4, ''])
  assert.match(gone.stderr, /^loop: The output of loop \w+ is gone: loop gc threw it away/)
  assert.equal((await rig.loop(['history', id])).code, 0)
})

test('a working copy goes with the loop it was made for', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('true', 'false', '-n', '1', '--no-baseline'))
  const [id = ''] = rig.loops()
  const copy = join(rig.paths.copies, `${id}-one`)
  const stray = join(rig.paths.copies, 'zzzzzz-one')
  for (const path of [copy, stray]) {
    mkdirSync(join(path, 'tree'), { recursive: true })
    writeFileSync(join(path, 'tree/file'), 'x'.repeat(10_000))
  }
  const probe = join(rig.paths.copies, '.probe-abc')
  mkdirSync(probe)
  const before = new Date(Date.now() - 3_600_000)
  utimesSync(probe, before, before)
  const young = JSON.parse((await rig.loop(['gc', '--json'])).stdout)
  assert.deepEqual(young.copies, [{ path: probe, bytes: 0 }], 'what a killed trial mount left')
  assert.deepEqual([copy, stray, probe].map(existsSync), [true, true, false])
  const freed = await rig.loop(['gc', '--checkpoint-retention', '1ms'])
  assert.match(freed.stdout, /, 1 working copy\.\nThe store does not know the loops of 1 working copy:/)
  assert.deepEqual([copy, stray].map(existsSync), [false, true])
  await rig.loop(['gc', '--checkpoint-retention', '1ms', '--yes'])
  assert.ok(!existsSync(stray))
})
