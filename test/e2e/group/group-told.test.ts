/** Notices of a group: one for the group, none for its loops; and the report counts the group once. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { reportSchema } from '../../../src/documents/report.ts'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { bestOfArgs, cost, firstOr } from '../../rig/group.ts'
import { makeRig, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'

async function teller(rig: Rig): Promise<() => string[]> {
  const program = join(rig.aside, 'tell.sh')
  writeFileSync(program, '#!/bin/sh\necho "$LOOP_LEVEL|$1|$2" >> "$ASIDE/told"\n', { mode: 0o755 })
  await rig.loop(['config', 'set', 'notification_cmd', program])
  return () => readOr(join(rig.aside, 'told')).split('\n').filter(Boolean)
}

async function inBackground(rig: Rig, args: string[]): Promise<string> {
  const started = await rig.loop([...args, '-b', '--json'])
  assert.equal(started.code, 0, started.stderr)
  return JSON.parse(started.stdout).id
}

test('loopd tells the end of a group once, and nothing of its loops', async t => {
  const rig = makeDaemonRig(t)
  const told = await teller(rig)
  await rig.startDaemon()
  const done = await inBackground(rig, bestOfArgs('echo x > done', 'test -f done'))
  await rig.reaches(done, 'completed')
  const failed = await inBackground(rig, bestOfArgs('echo x >> x', 'test -f never', '-n', '1'))
  await rig.reaches(failed, 'failed')
  await until('both to be told', () => told().length >= 2)
  const [first = '', second = '', ...more] = told()
  assert.match(
    first,
    new RegExp(`^info\\|group ${done} completed\\|do the work: 1-direct is in the work tree`),
  )
  assert.match(
    second,
    new RegExp(`^error\\|group ${failed} failed\\|do the work: none of its attempts passed`),
  )
  assert.deepEqual(more, [])
})

test('a loop that rests makes its group say so, once; a question of the group is told too', async t => {
  const rig = makeDaemonRig(t)
  const told = await teller(rig)
  await rig.startDaemon()
  const asks = `echo '{"question": "red or blue?"}' > "$LOOP_USAGE_FILE"`
  const resting = await inBackground(rig, bestOfArgs(firstOr(asks, asks), 'test -f never'))
  await rig.reaches(resting, 'paused')
  const manual = await inBackground(rig, bestOfArgs('echo x > done', 'test -f done', '--best-of-manual'))
  await rig.reaches(manual, 'waiting')
  await until('both to be told', () => told().length >= 2)
  const [first = '', second = '', ...more] = told()
  assert.match(
    first,
    new RegExp(
      `^warning\\|group ${resting} waits for you\\|do the work: \\S+ \\(\\w{6}\\) rests: it asks a question$`,
    ),
  )
  assert.match(second, new RegExp(`^warning\\|group ${manual} waits for you\\|do the work: Which attempt`))
  assert.deepEqual(more, [])
})

test('notices that a killed loopd has not sent are sent by the next one', async t => {
  const rig = makeDaemonRig(t)
  const program = join(rig.aside, 'hang.sh')
  writeFileSync(program, '#!/bin/sh\necho $$ > "$ASIDE/hangs"\nexec sleep 1000\n', { mode: 0o755 })
  await rig.loop(['config', 'set', 'notification_cmd', program])
  const daemon = await rig.startDaemon()
  const id = await inBackground(rig, bestOfArgs('echo x > done', 'test -f done'))
  const hangs = await until('it to be told', () => Number(readOr(join(rig.aside, 'hangs'))))
  daemon.child.kill('SIGKILL')
  await daemon.ended
  process.kill(hangs, 'SIGKILL')
  const told = await teller(rig)
  await rig.startDaemon()
  await until('it to be told', () => told().length >= 1)
  assert.match(told()[0] ?? '', new RegExp(`^info\\|group ${id} completed`))
  assert.equal(told().length, 1)
})

test('a group of the foreground tells with --notify', async t => {
  const rig = makeRig(t)
  const told = await teller(rig)
  assert.equal((await rig.loop(bestOfArgs('echo x > done', 'test -f done', '--notify'))).code, 0)
  assert.equal(told().length, 1)
  assert.match(told()[0] ?? '', /^info\|group \w{6} completed\|/)
})

test('the report counts a group once, with what its loops cost', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(`${cost(1)}; echo x > one`, 'test -f one'))
  await rig.loop(bestOfArgs(`${cost(0.25)}; echo x > done`, 'test -f done'))
  await rig.loop(bestOfArgs(`${cost(0.5)}; echo x >> x`, 'test -f never', '-n', '1'))
  const report = reportSchema().parse(JSON.parse((await rig.loop(['report', '--json'])).stdout))
  assert.deepEqual(
    report.done.map(({ kind, spent, members }) => [kind, spent.costUsd, spent.runs, members?.length]),
    [
      ['group', 0.5, 2, 2],
      ['loop', 1, 1, undefined],
    ],
  )
  assert.deepEqual(
    report.failed.map(({ kind, spent }) => [kind, spent.costUsd]),
    [['group', 1]],
  )
  assert.equal(report.cost.total.costUsd, 2.5)
  assert.deepEqual(
    report.cost.byProject.map(({ cwd, costUsd }) => [cwd, costUsd]),
    [[rig.tree, 2.5]],
  )
  assert.deepEqual(report.done[0]?.changes, { added: 1, removed: 0, files: 1, atLeast: false })
  const { stdout } = await rig.loop(['report'])
  assert.match(stdout, /: 1 failed, 2 done\.\n/)
  assert.match(
    stdout,
    /failed: none of its attempts passed: .*\n(.*\n)* +best of 2 · .* · \$1 · no changes · custom\n/,
  )
  assert.match(stdout, /completed: 1-direct is in the work tree/)
})
