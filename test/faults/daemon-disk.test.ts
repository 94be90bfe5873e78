/**
 * The disk under loopd becomes full or read-only while loops run: loopd says so, no loop is lost or called completed,
 * and loopd continues by itself when there is room. If the disk must be mounted again, loopd still ends when asked to.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathsFrom } from '../../src/store/files/paths.ts'
import { type DaemonRig, makeDaemonRig, marked } from '../rig/daemon.ts'
import { loopdProgram, readOr, until } from '../rig/rig.ts'
import { abortable, type Disk, fillable, noDisk } from '../rig/small-disk.ts'

/** A rig whose data is on a disk of its own. */
function rigOn(t: TestContext, make: (aside: string) => Disk): { rig: DaemonRig; disk: Disk } {
  const rig = makeDaemonRig(t)
  const disk = make(rig.aside)
  rig.env['XDG_DATA_HOME'] = disk.dir
  Object.assign(rig.paths, pathsFrom(rig.env))
  rig.atEnd(async () => disk.unmount())
  return { rig, disk }
}

const inMemory = (aside: string) => fillable(aside, '8m')
const agent = 'touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work'
const twice = 'test "$(wc -l < work)" -ge 2'
const fast = ['--checkpoint', 'none', '--no-baseline']

/** A loop whose agent works until the file `go` exists. */
async function running(rig: DaemonRig): Promise<string> {
  const id = await rig.background(agent, twice, ...fast)
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  await until('its launch', () => rig.events(id).some(({ kind }) => kind === 'run.launched'))
  return id
}

/** The message of loopd about loops that cannot continue. */
const problem = async (rig: DaemonRig) =>
  /^ {2}problem +(.*agents work on\.)$/m.exec((await rig.loopd(['status'])).stdout)?.[1]

function assertEachOnce(rig: DaemonRig, id: string): void {
  const runs = rig.events(id).filter(({ kind }) => kind === 'run.started')
  assert.equal(readOr(join(rig.tree, 'work')), 'x\n'.repeat(runs.length), 'no iteration ran twice')
}

test('full while an agent works: loopd says so, and the loop goes on by itself when there is room', {
  timeout: 600_000,
}, async t => {
  if (noDisk(t)) return
  const { rig, disk } = rigOn(t, inMemory)
  await rig.loop(['config', 'set', 'min_free_disk', '1kB'])
  const teller = join(rig.aside, 'tell.sh')
  writeFileSync(teller, '#!/bin/sh\necho "$1" >> "$ASIDE/told"\n', { mode: 0o755 })
  await rig.loop(['config', 'set', 'notification_cmd', teller])
  const daemon = await rig.startDaemon()
  const id = await running(rig)
  disk.spoil()
  writeFileSync(join(rig.aside, 'go'), '')
  await until('the first piece of work', () => readOr(join(rig.tree, 'work')) !== '')
  await until('the trouble', async () => (await problem(rig)) || rig.status(id) === 'paused')
  await until('a notice', () => readOr(join(rig.aside, 'told')) !== '', 40_000)
  assert.equal(daemon.child.exitCode, null, 'loopd is still there')
  assert.notEqual(rig.status(id), 'completed')
  disk.mend()
  await until('it to go on, or to be paused with the reason', () => rig.status(id) !== 'running', 60_000)
  if (rig.status(id) === 'paused') {
    assert.match((await rig.loop(['status', id])).stdout, /no space left|ENOSPC|full/i)
    assert.equal((await rig.loop(['resume', id, '-b'])).code, 0)
  }
  await rig.reaches(id, 'completed')
  assertEachOnce(rig, id)
  await until('the problem to be gone', async () => !(await problem(rig)))
})

test('read-only while an agent works: loopd says so, can be stopped, and goes on once the disk is mended', {
  timeout: 600_000,
}, async t => {
  if (noDisk(t)) return
  const { rig, disk } = rigOn(t, abortable)
  await rig.loop(['config', 'set', 'min_free_disk', '1kB'])
  const daemon = await rig.startDaemon()
  const id = await running(rig)
  const known = rig.events(id).length
  disk.spoil()
  writeFileSync(join(rig.aside, 'go'), '')
  await until('the first piece of work', () => readOr(join(rig.tree, 'work')) !== '')
  const words = await until('the trouble', () => problem(rig))
  assert.match(words, /cannot be used: .*(disk I\/O error|readonly|read-only).*agents work on\.$/)
  await until('the words for who reads no log', () =>
    /its log cannot be written: EROFS/.test(daemon.stderr()),
  )
  assert.equal(rig.status(id), 'running')
  const refused = await rig.loop([
    'start',
    'x',
    '-p',
    'true',
    '--agent',
    'custom',
    '--agent-cmd',
    'true',
    '-b',
  ])
  assert.equal(refused.code, 3)
  assert.match(refused.stderr, /^loop: The store .* cannot be used: EROFS.*\n$/)
  const stopped = await rig.loopd(['stop', '--now'])
  assert.equal(stopped.code, 0, stopped.stderr)
  const { code, stderr } = await daemon.ended
  assert.equal(code, 0, stderr)
  await until('everything to let go of the disk', () => marked(id).length === 0)
  disk.mend()
  assert.equal(rig.events(id).length, known, 'what was recorded is there')
  await rig.startDaemon()
  await rig.reaches(id, 'completed')
  assertEachOnce(rig, id)
})

test('read-only: an agent is stopped though nothing can be recorded', { timeout: 600_000 }, async t => {
  if (noDisk(t)) return
  const { rig, disk } = rigOn(t, abortable)
  await rig.loop(['config', 'set', 'min_free_disk', '1kB'])
  await rig.startDaemon()
  const id = await running(rig)
  disk.spoil()
  assert.ok(marked(id).length > 0)
  const driven = await rig.loop(['cancel', id])
  assert.match(driven.stderr, /is driven by process \d+\. End that first\./)
  assert.equal((await rig.loopd(['stop', '--now'])).code, 0)
  assert.ok(marked(id).length > 0, 'it works on')
  const cancelled = await rig.loop(['cancel', id])
  assert.equal(cancelled.code, 3)
  assert.match(
    cancelled.stderr,
    /^loop: Nothing of the agent of loop \w+ is alive, but that cannot be recorded\./,
  )
  assert.deepEqual(marked(id), [])
})

test('with too little space left no loop begins, and loopd says so', { timeout: 600_000 }, async t => {
  if (noDisk(t)) return
  const { rig } = rigOn(t, inMemory)
  await rig.loop(['config', 'set', 'min_free_disk', '1GB'])
  await rig.startDaemon()
  const id = await rig.background('true', 'true', ...fast)
  await until('the words', () =>
    /is nearly full; no loop begins until there is room/.test(readOr(rig.paths.daemon.log)),
  )
  assert.equal(rig.status(id), 'queued')
  assert.match((await rig.loopd(['status'])).stdout, /problem +the disk of .* is nearly full/)
  await rig.loop(['config', 'set', 'min_free_disk', '1kB'])
  await rig.reaches(id, 'completed')
})

test('on a disk that is read-only loopd says so and does not start', async t => {
  if (noDisk(t)) return
  const { rig, disk } = rigOn(t, inMemory)
  await rig.loop(['start', 'x', '-p', 'true', '--agent', 'custom', '--agent-cmd', 'true', ...fast])
  execFileSync('mount', ['-o', 'remount,ro', disk.dir])
  const started = await rig.loopd(['start', '--foreground'])
  assert.equal(started.code, 3, started.stderr)
  assert.match(started.stderr, /loopd: .*(readonly|read-only|not writable|cannot be used).*\n$/i)
  const background = await rig.loopd(['start'])
  assert.notEqual(background.code, 0)
  assert.match(background.stderr, /^loopd: .+\n$/)
  execFileSync('mount', ['-o', 'remount,rw', disk.dir])
  await rig.startDaemon()
})

test('on a full disk loopd says so and does not start, or starts and waits; nothing is lost', {
  timeout: 600_000,
}, async t => {
  if (noDisk(t)) return
  const { rig, disk } = rigOn(t, inMemory)
  await rig.loop(['config', 'set', 'min_free_disk', '1kB'])
  const first = await rig.startDaemon()
  const id = await running(rig)
  first.child.kill('SIGKILL')
  await first.ended
  disk.spoil()
  const second = rig.spawn(['start', '--foreground'], { program: loopdProgram })
  await until('words', () => second.stderr().includes('loopd:'))
  disk.mend()
  writeFileSync(join(rig.aside, 'go'), '')
  if (second.stderr().includes('serves')) second.child.kill('SIGTERM')
  const { code, stderr } = await second.ended
  if (code !== 0) assert.match(stderr, /^loopd: .*(full|no space).*\n$/i)
  await rig.startDaemon()
  await rig.reaches(id, 'completed')
  assertEachOnce(rig, id)
})
