/**
 * kill -9 of the process that hosts a plan, over its whole path, then `loop resume`: no finished stage is repeated, no
 * agent runs twice, nothing is lost, and the end is the same. In `npm test` one plan is killed again and again on its
 * way, and right after its last event. With LOOP_LONG=1 a plan is killed once at each of many points: of its own
 * journal, of its members' journals and inside its steps.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeDaemonRig } from '../rig/daemon.ts'
import { onlyGroup } from '../rig/group.ts'
import { assertOver, goesOn, toldOfPlan, wholePlan } from '../rig/killed-plan.ts'
import { planEvents } from '../rig/plan.ts'
import { makeRig, type Rig, until } from '../rig/rig.ts'

const long = process.env['LOOP_LONG'] !== undefined

/** The result of the plan without a kill. */
let undisturbed: { told: Awaited<ReturnType<typeof toldOfPlan>>; length: number } | undefined

test('the whole path without a death', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(await wholePlan(rig))
  assert.equal(ended.code, 0, ended.stderr.slice(-2_000))
  assertOver(rig)
  const told = await toldOfPlan(rig)
  undisturbed = { told, length: planEvents(rig).length }
  for (const stage of [
    'recall completed yes',
    'intent/1/success completed All tests pass, and a person looks at it',
    'G1 completed yes',
    'G3 completed yes',
    'learn/1 completed yes',
  ])
    assert.ok(told.ends.includes(stage), `${stage}: ${told.ends.join('\n')}`)
  for (const node of [
    'shape',
    'tasks',
    'T-001/counsel-1',
    'wave-2/review',
    'review/1/verify-1',
    'T-004/apply',
  ])
    assert.ok(told.starts.includes(`${node} 1`), node)
  assert.equal(told.runs.filter(run => run.startsWith('T-001 ')).length, 2, 'its first iteration fails')
  assert.deepEqual(told.learnt.kept.length, 2)
})

async function assertSame(rig: Rig): Promise<void> {
  assertOver(rig)
  assert.ok(undisturbed, 'the whole path without a death has failed')
  assert.deepEqual(await toldOfPlan(rig), undisturbed.told)
}

/**
 * The first event of the journal is the creation. When members begin, the plan has more events than they ever reach.
 */
const onItsWay = [
  'append:4',
  'append:13',
  'append:20',
  'advised',
  'write',
  'append:70:before',
  'append:90',
  'command@3',
]

test(`a plan whose hosts die one after the other, ${onItsWay.length + 1} of them`, {
  timeout: 600_000,
}, async t => {
  const rig = makeRig(t)
  let args = await wholePlan(rig)
  for (const point of [...onItsWay, `append:${undisturbed?.length}`]) {
    const killed = await rig.loop(args, { env: { LOOP_FAULT: point } })
    assert.equal(killed.signal, 'SIGKILL', `${point} was not reached: ${killed.stderr.slice(-2_000)}`)
    args = ['resume', onlyGroup(rig)]
  }
  await goesOn(rig)
  await assertSame(rig)
})

async function dies(rig: Rig, point: string): Promise<void> {
  const killed = await rig.loop(await wholePlan(rig), { env: { LOOP_FAULT: point } })
  assert.equal(killed.signal, 'SIGKILL', `${point} was not reached: ${killed.stderr.slice(-2_000)}`)
  await goesOn(rig)
  await assertSame(rig)
}

/** Every third event of the plan's journal. `before`: killed before the event is durable. */
const before = new Set([5, 11, 35, 41, 47, 53, 59, 83, 89, 95, 119])
const ofItsJournal = Array.from({ length: 44 }, (_, i) => 3 * i + 2).map(
  n => `append:${n}${before.has(n) ? ':before' : ''}`,
)
const ofMembers = [1, 4, 7, 10, 13, 16].flatMap(n => [`append:${1 + (n % 9)}@${n + 1}`])
const inSteps = [
  'copy copy@4 copy@9 copy@17 member:created member:created@5 member:created@12',
  'spawn spawn@4 spawn:before@5 spawn@10 spawn:before@16 spawn@20 verify@2 verify@6',
  'checkpoint@2 checkpoint@6 save@2 save@4 write write@2 write@4 advised command command@4',
].flatMap(points => points.split(' '))

for (const point of long ? [...ofItsJournal, ...ofMembers, ...inSteps] : []) {
  test(`a plan killed at ${point}, then resumed`, async t => {
    await dies(makeRig(t), point)
  })
}

/** One point in each part of the path. */
const underLoopd = ['append:6', 'member:created@2', 'spawn@4', 'advised', 'write@2', 'command@2']

for (const points of long ? [underLoopd] : []) {
  test(`loopd is killed ${points.length} times under a plan, which goes on by itself`, async t => {
    const rig = makeDaemonRig(t)
    let args = [...(await wholePlan(rig)), '-b']
    for (const point of points) {
      const daemon = await rig.startDaemon({ LOOP_FAULT: point })
      if (args.length > 0) assert.equal((await rig.loop(args)).code, 0)
      args = []
      await daemon.ended
    }
    const last = await rig.startDaemon()
    const isOver = () => planEvents(rig).at(-1)?.kind === 'group.completed'
    await until('the end of the plan', isOver, 300_000)
    last.child.kill('SIGKILL')
    await last.ended
    await assertSame(rig)
  })
}
