/**
 * Real agent programs, driven by the real `loop` against a model server of the test: a whole loop of two iterations
 * with a usage limit that is waited for and kill -9 of loop in the middle of a run; an invalid key.
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

/** opencode retries for half a minute before it gives up. */
const meetsLimit = realAgents.filter(agent => agent !== 'opencode' || process.env['LOOP_LONG'])

/**
 * One story, since some of the programs take seconds of a processor to start: a usage limit is waited for and burns no
 * iteration; a first iteration mends a part; loop is killed in the middle of the second one, resumed, and attaches to
 * the run that goes on.
 */
for (const agent of realAgents) {
  test(`${agent}: a limit, two iterations and a killed loop until the promise holds, with what they cost`, async t => {
    const gate = Promise.withResolvers<void>()
    const limit = meetsLimit.includes(agent) ? limitTurns(agent) : []
    const { rig, server, args } = await placeFor(t, agent, edit => {
      const [first = {}, last = {}] = mends(edit, mendTwice)
      return [...limit, ...mends(edit, mendSum), first, { ...last, after: gate.promise }]
    })
    const loop = rig.spawn([...args, '--limit-backoff', '1s'])
    await until('the agent asks for the last time', () => server.asked.length === limit.length + 4)
    loop.child.kill('SIGKILL')
    await loop.ended
    const [id = ''] = rig.loops()
    const resumed = rig.spawn(['resume', id, '--json'])
    gate.resolve()
    const ended = await resumed.ended
    const events = rig.events(id)
    assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}${readOr(`${rig.dir(id)}/runs/1/err`)}`)
    const { iteration, status } = JSON.parse(ended.stdout)
    assert.deepEqual({ iteration, status }, { iteration: 2, status: 'completed' })
    assert.deepEqual([server.turnsLeft(), server.asked.length], [0, limit.length + 4])
    assert.deepEqual(
      events.flatMap(({ kind }) => (/^(run\.started|wait|promise)/.test(kind) ? kind : [])),
      [
        'promise.verified',
        ...(limit.length > 0 ? ['run.started', 'wait.started', 'wait.ended'] : []),
        'run.started',
        'promise.verified',
        'run.started',
        'promise.verified',
      ],
      'no run was started twice',
    )
    const history = JSON.parse((await rig.loop(['history', id, '--json'])).stdout)
    assert.equal(history.iterations.length, 2)
    for (const row of history.iterations) {
      assert.deepEqual(row.tokens, { input: 1_000, cached: 1_200, output: 60 })
      assert.ok(row.costUsd > 0, JSON.stringify(row))
      assert.equal(row.estimated, ['codex', 'gemini', 'cline'].includes(agent))
    }
    const ends = events.flatMap(event => (event.kind === 'run.ended' ? [event.data] : [])).slice(-2)
    assert.deepEqual(
      ends.map(end => [end.context, end.failed, end.said]),
      [0, 1].map(() => [context[agent], undefined, 'That should be all.']),
    )
    const second = server.asked[limit.length + 2] ?? ''
    assert.match(second, /twice\(4\) is 4/, 'the second prompt says what the promise said')
    const logs = await rig.loop(['logs', id])
    assert.match(logs.stdout, /That should be all\./)
    assert.deepEqual(server.strange, [])
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
