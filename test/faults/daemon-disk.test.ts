/**
 * The disk under loopd becomes full, or is read-only: it says so, no loop is lost or called done, agents go on,
 * and it goes on by itself when there is room.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathsFrom } from '../../src/store/paths.ts'
import { type DaemonRig, makeDaemonRig } from '../daemon.ts'
import { readOr, until } from '../rig.ts'

/** Runs `work` with a small disk of its own for the data of loop. */
async function withDisk(
  t: TestContext,
  work: (rig: DaemonRig, disk: string) => Promise<void>,
): Promise<void> {
  if (process.getuid?.() !== 0) return t.skip('only root may mount the small disk this needs')
  const rig = makeDaemonRig(t)
  const disk = join(rig.aside, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk])
  rig.env['XDG_DATA_HOME'] = disk
  Object.assign(rig.paths, pathsFrom(rig.env))
  rig.atEnd(async () => {
    execFileSync('umount', ['-l', disk])
  })
  await work(rig, disk)
}

const fill = (disk: string) =>
  execFileSync('sh', ['-c', `cat /dev/zero > ${disk}/fill || true`], { stdio: 'ignore' })

const agent = 'touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work'
const fast = ['--checkpoint', 'none', '--no-baseline']

test('full while an agent works: the loop goes on by itself when there is room', { timeout: 120_000 }, t =>
  withDisk(t, async (rig, disk) => {
    await rig.loop(['config', 'set', 'min_free_disk', '1kB'])
    const daemon = await rig.startDaemon()
    const id = await rig.background(agent, 'test "$(wc -l < work)" -ge 2', ...fast)
    await until('the agent', () => existsSync(join(rig.aside, 'up')))
    await until('its launch', () => rig.events(id).some(({ kind }) => kind === 'run.launched'))
    fill(disk)
    writeFileSync(join(rig.aside, 'go'), '')
    await until('the first piece of work', () => readOr(join(rig.tree, 'work')) !== '')
    const status = await until('the trouble', () => {
      const log = readOr(rig.paths.daemon.log)
      return /can not be driven|step-failed|disk/.test(log) || rig.status(id) === 'paused'
    })
    assert.ok(status)
    assert.equal(daemon.child.exitCode, null, 'loopd is still there')
    assert.notEqual(rig.status(id), 'completed')
    rmSync(join(disk, 'fill'))
    await until('it to go on, or to be paused with the reason', () => rig.status(id) !== 'running', 60_000)
    if (rig.status(id) === 'paused') {
      assert.match((await rig.loop(['status', id])).stdout, /no space left|ENOSPC|full/i)
      assert.equal((await rig.loop(['resume', id, '-b'])).code, 0)
    }
    await rig.reaches(id, 'completed')
    const runs = rig.events(id).filter(({ kind }) => kind === 'run.started')
    assert.equal(readOr(join(rig.tree, 'work')), 'x\n'.repeat(runs.length), 'no iteration ran twice')
  }),
)

test('with too little left no loop begins, and that is said', { timeout: 60_000 }, t =>
  withDisk(t, async rig => {
    await rig.loop(['config', 'set', 'min_free_disk', '1GB'])
    await rig.startDaemon()
    const id = await rig.background('true', 'true', ...fast)
    const words = await until('the words', () =>
      /is nearly full; no loop begins until there is room/.test(readOr(rig.paths.daemon.log)),
    )
    assert.ok(words)
    assert.equal(rig.status(id), 'queued')
    assert.match((await rig.loopd(['status'])).stdout, /problem +the disk of .* is nearly full/)
    await rig.loop(['config', 'set', 'min_free_disk', '1kB'])
    await rig.reaches(id, 'completed')
  }),
)

test('on a disk that is read-only loopd says so and does not start', t =>
  withDisk(t, async (rig, disk) => {
    await rig.loop(['start', 'x', '-p', 'true', '--agent', 'custom', '--agent-cmd', 'true', ...fast])
    execFileSync('mount', ['-o', 'remount,ro', disk])
    const started = await rig.loopd(['start', '--foreground'])
    assert.equal(started.code, 3, started.stderr)
    assert.match(started.stderr, /^loopd: .*(readonly|read-only|not writable|can not be used).*\n$/i)
    const background = await rig.loopd(['start'])
    assert.notEqual(background.code, 0)
    assert.match(background.stderr, /^loopd: .+\n$/)
    execFileSync('mount', ['-o', 'remount,rw', disk])
    await rig.startDaemon()
  }))
