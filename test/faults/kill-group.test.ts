/**
 * kill -9 of the process that hosts a group and its members (best of three, real git, real copies), at points of the
 * group's journal and of the members', inside steps and at random moments, then `loop resume`; and kill -9 of loopd,
 * which continues by itself: the same winner, each run of an agent once, the result in the tree once, nothing left
 * over. After a cancel no copy is left either. A few points in `npm test`; more than sixty with LOOP_LONG=1.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { makeDaemonRig, statusOf } from '../rig/daemon.ts'
import {
  assertNothingRuns,
  assertPrefix,
  assertWholeGroup,
  bestOfThree,
  copiesIn,
  groupIn,
  journalsOf,
  ledgerOf,
  mostAtOnce,
} from '../rig/killed-group.ts'
import { makeRig, type Rig, until } from '../rig/rig.ts'
import { seeded } from '../rig/seeded.ts'

const long = process.env['LOOP_LONG'] !== undefined

/** `append:7@2`: the second time that any of the four journals reaches its seventh event. */
const points = [
  'append:1',
  ...[2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap(n => [`append:${n}`, `append:${n}@3`]),
  ...[2, 4, 6, 8, 10, 12].flatMap(n => [`append:${n}:before`, `append:${n}:before@3`]),
  ...[11, 12, 14, 16, 18, 20, 22, 24, 26].flatMap(n => [`append:${n}`, `append:${n}:before`]),
  'save',
  'save@2',
  'write',
  'command',
  'command@2',
  'copy',
  'copy@2',
  'copy@3',
  'member:created',
  'member:created@2',
  'member:created@3',
  'spawn',
  'spawn@3',
  'spawn:before@2',
  'checkpoint@2',
  'checkpoint@5',
  'verify@3',
  'verify@5',
]
const few = ['append:3', 'append:9@3', 'copy@2', 'member:created@2', 'save@2', 'write', 'command', 'spawn@2']

for (const point of long ? points : few) {
  test(`killed at ${point}, then resumed`, async t => {
    const rig = makeRig(t)
    const killed = await rig.loop(bestOfThree, { env: { LOOP_FAULT: point } })
    assert.equal(killed.signal, 'SIGKILL', `${point} was not reached: ${killed.stderr}`)
    await resumed(rig)
  })
}

/** Resumes the group, and checks its result. */
async function resumed(rig: Rig): Promise<void> {
  const id = groupIn(rig)
  if (id === null) return
  const before = journalsOf(rig, id)
  const ended = await rig.loop(['resume', id, '--json'])
  const hadEnded = before.group.at(-1)?.kind === 'group.completed'
  assert.equal(ended.code, hadEnded ? 4 : 0, ended.stderr)
  assertWholeGroup(rig, id, before)
}

const rounds = long ? 40 : 2
test(`killed at ${rounds} moments, some of them several times`, { timeout: 3_600_000 }, async t => {
  const random = seeded(20_261_117)
  for (let round = 0; round < rounds; round += 1) {
    const rig = makeRig(t)
    const started = rig.spawn(bestOfThree)
    await delay(200 + random() * 2_500)
    started.child.kill('SIGKILL')
    await started.ended
    const id = groupIn(rig)
    const more = id === null ? 0 : round % 3
    for (let again = 0; again < more; again += 1) {
      const before = journalsOf(rig, id ?? '')
      const running = rig.spawn(['resume', id ?? '', '--json'])
      await delay(random() * 1_500)
      running.child.kill('SIGKILL')
      await running.ended
      assertPrefix(before, journalsOf(rig, id ?? ''))
    }
    await resumed(rig)
  }
})

const cancelPoints = [
  'append:4',
  'copy@2',
  'spawn',
  'spawn@3',
  'append:12@2',
  'command',
  'write',
  'save@2',
  'append:24',
]
for (const point of long ? cancelPoints : cancelPoints.slice(2, 4)) {
  test(`killed at ${point}, then cancelled: no process and no copy is left`, async t => {
    const rig = makeRig(t)
    const killed = await rig.loop(bestOfThree, { env: { LOOP_FAULT: point } })
    assert.equal(killed.signal, 'SIGKILL', `${point} was not reached: ${killed.stderr}`)
    const id = groupIn(rig) ?? ''
    const cancelled = await rig.loop(['cancel', id])
    assert.equal(cancelled.code, 0, cancelled.stderr)
    assert.equal(rig.events(id).at(-1)?.kind as string, 'group.cancelled')
    assertNothingRuns(rig, id)
    assert.deepEqual(copiesIn(rig), [])
  })
}

const kills = long ? 30 : 2
test(`loopd is killed ${kills} times under groups, which go on by themselves`, {
  timeout: 3_600_000,
}, async t => {
  const random = seeded(20_261_118)
  const inside = ['copy', 'member:created', 'command', 'write', 'save@2', 'append:8@2', 'append:14', null]
  for (let kill = 0; kill < kills; kill += 1) {
    const rig = makeDaemonRig(t)
    await rig.loop(['config', 'set', 'max_concurrent_loops', '2'])
    const point = inside[kill % inside.length] ?? null
    const first = await rig.startDaemon(point === null ? {} : { LOOP_FAULT: point })
    const started = await rig.loop([...bestOfThree, '-b'])
    assert.equal(started.code, 0, started.stderr)
    const id = JSON.parse(started.stdout).id
    if (point === null) {
      await delay(random() * 4_000)
      first.child.kill('SIGKILL')
    }
    await first.ended
    const before = journalsOf(rig, id)
    const second = await rig.startDaemon()
    await until(`the group to end after ${point}`, () => isOver(rig, id), 60_000)
    second.child.kill('SIGKILL')
    await second.ended
    assertWholeGroup(rig, id, before)
    assert.ok(mostAtOnce(rig) <= 2, `${mostAtOnce(rig)} agents at once`)
  }
})

test('loopd is killed, and the group is taken up in the foreground', async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(['config', 'set', 'max_concurrent_loops', '1'])
  const daemon = await rig.startDaemon()
  const started = await rig.loop([...bestOfThree, '-b'])
  const id = JSON.parse(started.stdout).id
  // One agent runs, and two wait for their turn.
  await until('an agent', () => ledgerOf(rig, '+').length > 0)
  await until('all members', () => journalsOf(rig, id).members.size === 3)
  daemon.child.kill('SIGKILL')
  await daemon.ended
  await resumed(rig)
  assert.equal(mostAtOnce(rig), 1)
})

function isOver(rig: Rig, id: string): boolean {
  // A command that comes after the end is recorded as refused.
  const last = rig.events(id).findLast(({ kind }) => kind !== 'command.refused')
  return /^group\.(completed|failed|cancelled)$/.test(String(last?.kind))
}

test('under loopd: a group is paused, resumed and cancelled; no process and no copy is left', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const started = await rig.loop([...bestOfThree, '-b'])
  const id = JSON.parse(started.stdout).id
  await until('an agent', () => ledgerOf(rig, '+').length > 0)
  assert.equal((await rig.loop(['pause', id])).code, 0)
  await rig.reaches(id, 'paused')
  const paused = journalsOf(rig, id)
  for (const [member, events] of paused.members)
    assert.match(
      statusOf(rig, member),
      /^(paused|completed|failed)$/,
      events.map(({ kind }) => kind).join(' '),
    )
  assert.equal((await rig.loop(['resume', id, '-b'])).code, 0)
  await until('a run more, or the end', () => journalsOf(rig, id).group.length > paused.group.length + 1)
  const cancelled = await rig.loop(['cancel', id])
  if (cancelled.code !== 0) assert.ok(isOver(rig, id), cancelled.stderr)
  await until('its end', () => isOver(rig, id))
  assertNothingRuns(rig, id)
  if ((rig.events(id).at(-1)?.kind as string) === 'group.cancelled') assert.deepEqual(copiesIn(rig), [])
})
