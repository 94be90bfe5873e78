/** What is told of background loops while loopd does not run, and of those that it will start again. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRunning, readRecord } from '../../../src/server/daemon/record.ts'
import { type DaemonRig, hostIn, makeDaemonRig } from '../../rig/daemon.ts'
import { until } from '../../rig/rig.ts'

function inTree(rig: DaemonRig, name: string): string[] {
  mkdirSync(join(rig.aside, name))
  return ['--checkpoint', 'none', '--no-baseline', '--cwd', join(rig.aside, name)]
}

async function kill(rig: DaemonRig): Promise<void> {
  process.kill(readRecord(rig.paths)?.pid ?? 0, 'SIGKILL')
  await until('loopd to be gone', () => !isRunning(rig.paths))
}

test('a queued loop without loopd says so everywhere, needs you, and is not waited for', async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(['config', 'set', 'max_concurrent_loops', '1'])
  const hold = 'touch "$ASIDE/up"; until test -e "$ASIDE/go"; do sleep 0.05; done; echo x >> work'
  await rig.background(hold, 'test -s work', ...inTree(rig, 'first'))
  await until('the first to be at work', () => existsSync(join(rig.aside, 'up')))
  const id = await rig.background('echo x >> work', 'test -s work', ...inTree(rig, 'queued'))
  assert.equal(rig.status(id), 'queued')
  assert.equal(
    (await json(rig, id)).reason,
    'queued until loopd has a free slot and the working tree is free',
  )
  await kill(rig)
  const why = 'loopd is not running; start it with: loopd start'
  const { status, reason, next } = await json(rig, id)
  assert.deepEqual([status, reason, next], ['queued', why, ['loopd start']])
  assert.match((await rig.loop(['status'])).stdout, new RegExp(`${id} +queued, no loopd `))
  assert.match(
    (await rig.loop(['status'])).stdout,
    new RegExp(`\\n${id} queued: ${why}\\n  next  loopd start`),
  )
  const report = JSON.parse((await rig.loop(['report', '--json'])).stdout)
  assert.ok(report.waiting.some((one: { id: string }) => one.id === id))
  assert.deepEqual(report.running, [])
  const told = `loop: loop ${id} is queued: ${why}\n`
  for (const args of [
    ['watch', id],
    ['logs', id, '-f'],
  ]) {
    const { code, stderr } = await rig.loop(args)
    assert.ok(code === 0 && stderr.endsWith(told), `${args.join(' ')}: ${stderr}`)
  }
  writeFileSync(join(rig.aside, 'go'), '')
  await rig.startDaemon()
  await rig.reaches(id, 'completed')
})

test('a crash says when it is tried again; without loopd it needs you; a cancel stops the retries', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const more = [...inTree(rig, 'crashes'), '--agent-error-limit', '1']
  const id = await rig.background('kill -9 $$', 'false', ...more)
  await rig.reaches(id, 'crashed')
  const { reason, next, retry } = await json(rig, id)
  assert.match(reason, /^the agent failed: .*; retry 1 of 3 in (1m|\d+s)$/)
  assert.deepEqual([retry.n, retry.of], [1, 3])
  assert.ok(next.includes(`To stop the retries: loop cancel ${id}`), next.join('\n'))
  assert.doesNotMatch((await rig.loop(['status'])).stdout, new RegExp(`\\n${id} crashed: `))
  await kill(rig)
  const left = await json(rig, id)
  assert.match(left.reason, /; retry 1 of 3 is due, but loopd is not running; start it with: loopd start$/)
  assert.ok(left.next.includes('loopd start'))
  assert.match((await rig.loop(['status'])).stdout, new RegExp(`\\n${id} crashed: `))
  const cancelled = await rig.loop(['cancel', id])
  assert.equal(cancelled.code, 0, cancelled.stderr)
  assert.equal(rig.status(id), 'cancelled')
})

test('an agent that fails at once, twice in the same way, is not started again', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon({ LOOPD_RESTART_MS: '50' })
  const more = [...inTree(rig, 'exits'), '--agent-error-limit', '2']
  const id = await rig.background('echo no such model >&2; kill -9 $$', 'false', ...more)
  await rig.reaches(id, 'crashed')
  await until('loopd to let go', () => hostIn(rig, id) === null)
  const { retry, next } = await json(rig, id)
  assert.deepEqual([retry, next[0]], [undefined, `loop logs ${id}`])
  // Another loop has come and gone, so loopd has looked since.
  const other = await rig.background('echo x >> work', 'test -s work', ...inTree(rig, 'other'))
  await rig.reaches(other, 'completed')
  assert.equal(rig.status(id), 'crashed')
})

async function json(rig: DaemonRig, id: string) {
  const told = await rig.loop(['status', id, '--json'])
  assert.equal(told.code, 0, told.stderr)
  return JSON.parse(told.stdout)
}
