/**
 * A loop waits for a usage limit, and loopd dies meanwhile: the next loopd wakes the loop at the same time, not before
 * and not much later, and no iteration is spent.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { limitedUntil, putPrograms } from '../agents/stand-in.ts'
import { type DaemonRig, hostIn, makeDaemonRig } from '../rig/daemon.ts'
import { type Running, readOr, until } from '../rig/rig.ts'

const works = `echo '{"type":"result","is_error":false,"result":"done"}'; touch done`

/** A loop under loopd whose agent is at its limit for so many seconds, counted from its first run. */
async function waiting(t: TestContext, seconds: number) {
  const rig = makeDaemonRig(t)
  const limited = `echo $(($(date +%s) + ${seconds})) > "$ASIDE/reset"; ${limitedUntil('$(cat "$ASIDE/reset")')}`
  const script = `date +%s >> "$ASIDE/asked"; if [ -e "$ASIDE/reset" ]; then ${works}; else ${limited}; fi`
  putPrograms(rig, { claude: script })
  const daemon = await rig.startDaemon()
  const args = ['start', 'x', '-p', 'test -e done', '--agent', 'claude', '--checkpoint', 'none', '-n', '1']
  const started = await rig.loop([...args, '-b', '--json'])
  assert.equal(started.code, 0, started.stderr)
  const { id } = JSON.parse(started.stdout)
  await rig.reaches(id, 'waiting')
  return { rig, daemon, id: String(id) }
}

async function kill(rig: DaemonRig, daemon: Running, id: string): Promise<void> {
  daemon.child.kill('SIGKILL')
  await daemon.ended
  assert.equal(rig.status(id), 'waiting')
  assert.equal(hostIn(rig, id), null)
}

const secondsLeft = (rig: DaemonRig) => Number(readOr(join(rig.aside, 'reset'))) - Date.now() / 1_000

/** The agent ran twice, the second time not before the reset; one iteration was counted, which is the limit. */
function assertAskedInTime(rig: DaemonRig, id: string): number {
  const asked = readOr(join(rig.aside, 'asked')).trim().split('\n').map(Number)
  const reset = Number(readOr(join(rig.aside, 'reset')))
  assert.equal(asked.length, 2)
  assert.ok((asked[1] ?? 0) >= reset, `asked at ${asked[1]}, ${reset} was the time`)
  const runs = rig.events(id).flatMap(event => (event.kind === 'run.started' ? event.data.iteration : []))
  assert.deepEqual(runs, [1, 1])
  const waits = rig.events(id).filter(({ kind }) => kind === 'wait.started' || kind === 'wait.ended')
  assert.deepEqual(
    waits.map(({ kind }) => kind),
    ['wait.started', 'wait.ended'],
    'it is one wait, whoever waits',
  )
  return (asked[1] ?? 0) - reset
}

test('loopd is killed again and again while a loop waits: it wakes when it should', {
  timeout: 600_000,
}, async t => {
  const { rig, daemon, id } = await waiting(t, 10)
  let current = daemon
  let kills = 0
  // On a busy machine fewer kills fit into the wait.
  while (kills < 5 && secondsLeft(rig) > 2) {
    await kill(rig, current, id)
    current = await rig.startDaemon()
    kills += 1
  }
  assert.ok(kills > 0)
  await rig.reaches(id, 'completed')
  const late = assertAskedInTime(rig, id)
  t.diagnostic(`${kills} kills; asked ${late} s after the time the agent named`)
})

test('no loopd runs when the limit ends: the next one continues the loop at once', {
  timeout: 600_000,
}, async t => {
  const { rig, daemon, id } = await waiting(t, 5)
  await kill(rig, daemon, id)
  const reset = Number(readOr(join(rig.aside, 'reset')))
  await until('the time to pass', () => Date.now() / 1_000 > reset)
  assert.equal(rig.status(id), 'waiting')
  await rig.startDaemon()
  await rig.reaches(id, 'completed')
  assertAskedInTime(rig, id)
})

test('loopd stop does not wait for a limit; the next loopd does', { timeout: 600_000 }, async t => {
  const { rig, id } = await waiting(t, 6)
  const stopped = await rig.loopd(['stop'])
  assert.equal(stopped.code, 0, stopped.stderr)
  assert.equal(rig.status(id), 'waiting')
  assert.equal(hostIn(rig, id), null)
  await rig.startDaemon()
  await rig.reaches(id, 'completed')
  assertAskedInTime(rig, id)
})
