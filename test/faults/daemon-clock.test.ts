/**
 * The clock of the machine is set a day forward or back while loops run and wait under loopd (test/rig/clock.cjs, in
 * every program): no run is cut short, no wait lasts a day, nothing is deleted, no notice is sent twice.
 */
import assert from 'node:assert/strict'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { limitedUntil, putPrograms } from '../agents/stand-in.ts'
import { type DaemonRig, hostIn, makeDaemonRig } from '../rig/daemon.ts'
import { readOr, root, until } from '../rig/rig.ts'

const day = 86_400_000
const jumps: [string, number][] = [
  ['a day forward', day],
  ['a day back', -day],
]
const held = 'touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work'

/** A rig whose programs have a clock that can be set. */
function withClock(t: TestContext): { rig: DaemonRig; set(ms: number): void } {
  const rig = makeDaemonRig(t)
  const file = join(rig.aside, 'clock')
  rig.env['CLOCK'] = file
  rig.env['NODE_OPTIONS'] = `--require ${join(root, 'test', 'rig', 'clock.cjs')}`
  return {
    rig,
    // By rename: a reader that sees a half-written file would see another jump.
    set(ms) {
      writeFileSync(`${file}.next`, String(ms))
      renameSync(`${file}.next`, file)
    },
  }
}

function assertInOrder(rig: DaemonRig, id: string): void {
  const events = rig.events(id)
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, i) => i + 1),
  )
}

for (const [name, ms] of jumps) {
  test(`${name} while an agent works: no timeout, one notice, no negative duration`, {
    timeout: 600_000,
  }, async t => {
    const { rig, set } = withClock(t)
    const teller = join(rig.aside, 'tell.sh')
    writeFileSync(teller, '#!/bin/sh\necho "$1" >> "$ASIDE/told"\n', { mode: 0o755 })
    await rig.loop(['config', 'set', 'notification_cmd', teller])
    const daemon = await rig.startDaemon()
    const fast = ['--checkpoint', 'none', '--no-baseline', '--timeout', '10m', '--idle-timeout', '10m']
    const id = await rig.background(held, 'test -s work', ...fast)
    await until('the agent', () => existsSync(join(rig.aside, 'up')))
    const queued = await rig.background('echo y >> work', 'grep -q y work', ...fast)
    set(ms)
    // From here on events have the date of another day.
    assert.equal((await rig.loop(['inject', id, 'go on'])).code, 0)
    const [row] = JSON.parse((await rig.loop(['status', '--json'])).stdout)
    assert.ok(row.elapsedMs >= 0, row.elapsedMs)
    daemon.child.kill('SIGKILL')
    await daemon.ended
    await rig.startDaemon()
    writeFileSync(join(rig.aside, 'go'), '')
    for (const one of [id, queued]) await rig.reaches(one, 'completed')
    const ends = rig.events(id).flatMap(event => (event.kind === 'run.ended' ? event.data : []))
    assert.deepEqual(
      ends.map(({ how, durationMs }) => [how, durationMs >= 0 && durationMs < 60_000]),
      [['exited', true]],
    )
    for (const one of [id, queued]) assertInOrder(rig, one)
    const told = () => readOr(join(rig.aside, 'told')).trim().split('\n')
    await until('both words', () => told().length >= 2)
    assert.deepEqual(told().toSorted(), [id, queued].map(one => `loop ${one} completed`).toSorted())
    await until('loopd to let go', () => hostIn(rig, queued) === null)
  })

  test(`${name} while a loop waits for its usage limit: it asks again, and no iteration is spent`, {
    timeout: 600_000,
  }, async t => {
    const { rig, set } = withClock(t)
    const limited = limitedUntil('$(($(date +%s) + 7200))')
    const works = `echo '{"type":"result","is_error":false,"result":"done"}'; touch done`
    putPrograms(rig, { claude: `if [ -e "$ASIDE/free" ]; then ${works}; else ${limited}; fi` })
    await rig.startDaemon()
    const args = [
      'start',
      'x',
      '-p',
      'test -e done',
      '--agent',
      'claude',
      '--checkpoint',
      'none',
      '-b',
      '--json',
    ]
    const started = await rig.loop(args)
    assert.equal(started.code, 0, started.stderr)
    const { id } = JSON.parse(started.stdout)
    await rig.reaches(id, 'waiting')
    assert.match((await rig.loop(['status', id])).stdout, /at its usage limit .*; next try in [12]h/)
    writeFileSync(join(rig.aside, 'free'), '')
    set(ms)
    await rig.reaches(id, 'completed')
    const runs = rig.events(id).flatMap(event => (event.kind === 'run.started' ? event.data.iteration : []))
    assert.deepEqual(runs, [1, 1], 'the same iteration again')
    assertInOrder(rig, id)
  })
}

test('a day forward: checkpoints of a loop that has just ended are not deleted', {
  timeout: 600_000,
}, async t => {
  const { rig, set } = withClock(t)
  const daemon = await rig.startDaemon({ LOOPD_GARBAGE_MS: '1' })
  const id = await rig.background('echo x >> work', 'test -s work')
  await rig.reaches(id, 'completed')
  set(day + 3_600_000)
  await until(
    'loopd to notice',
    () => readOr(rig.paths.daemon.log).includes('the clock was set forward'),
    30_000,
  )
  assert.match(
    (await rig.loopd(['status'])).stdout,
    /problem +the clock was set forward by 25h; nothing is thrown away/,
  )
  assert.equal((await rig.loop(['rollback', id, 'initial'])).code, 0, 'it is still there')
  daemon.child.kill('SIGTERM')
  await daemon.ended
})
