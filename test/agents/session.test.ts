/**
 * Real agent programs: one session for all iterations if the agent supports it, counted once; a model that hangs or
 * cuts its answer; an overloaded server.
 */
import assert from 'node:assert/strict'
import type { Recorded } from '../../src/model/loop/event.ts'
import type { Rig } from '../rig/rig.ts'
import { readOr } from '../rig/rig.ts'
import type { Turn } from './model-server.ts'
import { mendSum, mendTwice, placeFor, realAgents, agentTest as test } from './real.ts'

type Ended = Extract<Recorded, { kind: 'run.ended' }>['data']

function endings(rig: Rig): Ended[] {
  return rig.events(rig.loops()[0] ?? '').flatMap(event => (event.kind === 'run.ended' ? event.data : []))
}

for (const agent of realAgents.filter(name => name !== 'cline')) {
  test(`${agent}: --context-mode continue keeps one session, and counts each run once`, async t => {
    const usage = { input: 1_000, output: 50, cached: 0 }
    const { rig, server, args } = await placeFor(t, agent, edit => [
      { say: 'First the sum.', tools: [edit(...mendSum)], usage },
      { say: 'The sum is mended.', usage },
      { say: 'Then twice.', tools: [edit(...mendTwice)], usage },
      { say: 'All of it is mended.', usage },
    ])
    const ended = await rig.loop([...args, '--context-mode', 'continue'])
    const err = readOr(`${rig.dir(rig.loops()[0] ?? '')}/runs/2/err`)
    assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}${err}`)
    const [first, second] = endings(rig)
    assert.equal(first?.session?.id, second?.session?.id)
    assert.deepEqual(second?.tokens, { input: 2_000, cached: 0, output: 100 })
    assert.equal(
      first?.costUsd?.toFixed(6),
      second?.costUsd?.toFixed(6),
      'the second costs as much, not twice',
    )
    assert.match(server.asked[2] ?? '', /The sum is mended\./, 'the model is told what it said before')
  })
}

/** Most of this is waiting: two agents in `npm test`, all with LOOP_LONG=1. */
const hung = process.env['LOOP_LONG'] ? realAgents : (['claude', 'codex'] as const)

for (const agent of hung) {
  test(`${agent}: a model that never answers is ended by --idle-timeout, with all its processes`, async t => {
    const { rig, args } = await placeFor(t, agent, () => [{ say: 'Let me think', breaks: 'hangs' }])
    const ended = await rig.loop([...args, '--idle-timeout', '8s', '--agent-error-limit', '1'])
    assert.equal(ended.code, 3, `${ended.stdout}${ended.stderr}`)
    assert.deepEqual(
      endings(rig).map(({ how }) => how),
      ['idle'],
    )
  })
}

const overloaded: Turn = {
  error: { status: 529, body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } },
}

test('claude: a cut answer is asked for again; an overload is waited for', async t => {
  const { rig, args } = await placeFor(t, 'claude', edit => [
    { say: 'I will', breaks: 'cut' },
    { say: 'I will change it.', tools: [edit(...mendSum)] },
    ...Array.from({ length: 5 }, () => overloaded),
    { say: 'Again.', tools: [edit(...mendTwice)] },
    { say: 'Done.' },
  ])
  const ended = await rig.loop([...args, '--limit-backoff', '1s'])
  assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}`)
  const [first] = endings(rig)
  assert.match(first?.limit?.why ?? '', /529/)
  assert.equal(JSON.parse(ended.stdout).iteration, 1)
})
