/**
 * Real agent programs, driven by the real `loop` against a model server of the test: a whole loop of two iterations, a
 * usage limit that is waited for, kill -9 of loop in the middle of a run, an invalid key.
 */
import assert from 'node:assert/strict'
import type { EventOf } from '../../src/model/loop/event.ts'
import { readOr, until } from '../rig/rig.ts'
import { refusal } from './model-errors.ts'
import type { Turn } from './model-server.ts'
import {
  type Edit,
  mendSum,
  mendTwice,
  placeFor,
  type RealAgent,
  realAgents,
  agentTest as test,
} from './real.ts'

const mends = (edit: Edit, [from, to]: readonly [string, string]): Turn[] => [
  {
    say: `I will change ${from}.`,
    tools: [edit(from, to)],
    usage: { input: 1_000, output: 50, cached: 200 },
  },
  { say: 'That should be all.', usage: { input: 1_200, output: 10, cached: 1_000 } },
]

/** The words that tell a person how to give each agent access to its model. */
const wayIn: Record<RealAgent, string> = {
  opencode: 'Sign in with: opencode auth login',
  claude: 'Sign in with: claude, then /login; or set ANTHROPIC_API_KEY',
  codex: 'Sign in with: codex login; or set the key of its provider',
  gemini: 'Set GEMINI_API_KEY, or choose how to sign in: gemini, then /auth',
  cline: 'Set its key with: cline auth',
}

/** The use of the model's context that each agent reports; two report nothing. */
const context: Record<RealAgent, EventOf<'run.ended'>['data']['context']> = {
  opencode: { used: 1_210, window: 100_000 },
  claude: { used: 1_201, window: 1_000_000 },
  codex: undefined,
  gemini: undefined,
  cline: { used: 1_210, window: null },
}

for (const agent of realAgents) {
  test(`${agent}: two iterations until the promise holds, with what they cost`, async t => {
    const { rig, server, args } = await placeFor(t, agent, edit => [
      ...mends(edit, mendSum),
      ...mends(edit, mendTwice),
    ])
    const ended = await rig.loop(args)
    const id = rig.loops()[0] ?? ''
    assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}${readOr(`${rig.dir(id)}/runs/1/err`)}`)
    const { iteration, status } = JSON.parse(ended.stdout)
    assert.deepEqual({ iteration, status }, { iteration: 2, status: 'completed' })
    assert.equal(server.turnsLeft(), 0)
    const history = JSON.parse((await rig.loop(['history', id, '--json'])).stdout)
    for (const row of history.iterations) {
      assert.deepEqual(row.tokens, { input: 1_000, cached: 1_200, output: 60 })
      assert.ok(row.costUsd > 0, JSON.stringify(row))
      assert.equal(row.estimated, ['codex', 'gemini', 'cline'].includes(agent))
    }
    const contexts = rig.events(id).flatMap(event => (event.kind === 'run.ended' ? [event.data.context] : []))
    assert.deepEqual(contexts, [context[agent], context[agent]])
    assert.match(server.asked[2] ?? '', /twice\(4\) is 4/, 'the second prompt says what the promise said')
    const logs = await rig.loop(['logs', id])
    assert.match(logs.stdout, /That should be all\./)
    assert.deepEqual(server.strange, [])
  })

  const skip =
    agent === 'opencode' && !process.env['LOOP_LONG'] && 'it retries for half a minute: LOOP_LONG=1'
  test(`${agent}: a usage limit is waited for and burns no iteration`, { skip }, async t => {
    const { rig, args } = await placeFor(t, agent, edit => [
      ...limitTurns(agent),
      ...mends(edit, mendSum).slice(0, 1),
      ...mends(edit, mendTwice),
    ])
    const ended = await rig.loop([...args, '--limit-backoff', '1s'])
    const id = rig.loops()[0] ?? ''
    assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}${readOr(`${rig.dir(id)}/runs/1/out`)}`)
    const kinds = rig
      .events(id)
      .flatMap(({ kind }) => (/^(run\.started|wait|promise)/.test(kind) ? kind : []))
    assert.deepEqual(kinds, [
      'promise.verified',
      'run.started',
      'wait.started',
      'wait.ended',
      'run.started',
      'promise.verified',
    ])
    assert.equal(JSON.parse(ended.stdout).iteration, 1)
  })

  test(`${agent}: kill -9 of loop in the middle, resumed: no second run`, async t => {
    const gate = Promise.withResolvers<void>()
    const { rig, server, args } = await placeFor(t, agent, edit => {
      const [first = {}, last = {}] = mends(edit, mendTwice)
      return [...mends(edit, mendSum).slice(0, 1), first, { ...last, after: gate.promise }]
    })
    const loop = rig.spawn(args)
    await until('the agent asks for the last time', () => server.asked.length === 3, 60_000)
    loop.child.kill('SIGKILL')
    await loop.ended
    const [id = ''] = rig.loops()
    const resumed = rig.spawn(['resume', id, '--json'])
    gate.resolve()
    const ended = await resumed.ended
    assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}`)
    const events = rig.events(id)
    assert.equal(events.filter(({ kind }) => kind === 'run.started').length, 1)
    assert.equal(server.asked.length, 3)
    const end = events.find(
      (event): event is typeof event & EventOf<'run.ended'> => event.kind === 'run.ended',
    )
    assert.equal(end?.data.failed, undefined)
    assert.equal(end?.data.said, 'That should be all.')
  })

  test(`${agent}: an invalid key stops the loop at once, and the loop says what to do`, async t => {
    const refused = { error: refusal[agent]('key') }
    const { rig, args } = await placeFor(t, agent, () => Array.from({ length: 8 }, () => refused))
    const ended = await rig.loop(args.filter(arg => arg !== '--json'))
    assert.equal(ended.code, 1, `${ended.stdout}${ended.stderr}`)
    const id = rig.loops()[0] ?? ''
    assert.match(ended.stdout, new RegExp(`Loop ${id} paused: ${agent} may not use its model: `))
    assert.ok(ended.stdout.includes(`  next        ${wayIn[agent]}; then: loop resume ${id}\n`), ended.stdout)
    assert.equal(rig.events(id).filter(({ kind }) => kind === 'run.started').length, 1)
  })
}

/** cline tries six times without a word; the other programs end, or are ended, at the first refusal. */
function limitTurns(agent: RealAgent): Turn[] {
  const error = refusal[agent]('limit')
  if (agent !== 'cline') return [{ error }]
  return Array.from({ length: 6 }, () => ({ error: { ...error, headers: { 'retry-after': '0' } } }))
}
