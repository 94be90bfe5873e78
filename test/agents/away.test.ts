/**
 * Real agent programs whose model cannot be reached, or is overloaded: the loop waits as it does at a usage limit,
 * spends no iteration, says why, and continues by itself once the model is back.
 */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { readOr, until } from '../rig/rig.ts'
import { overload } from './model-errors.ts'
import type { Turn } from './model-server.ts'
import {
  type Edit,
  mendSum,
  mendTwice,
  type Place,
  placeFor,
  type RealAgent,
  realAgents,
  agentTest as test,
} from './real.ts'
import { neverUp, timeIsUp } from './timer.ts'

const work = (edit: Edit): Turn[] => [
  { say: 'I will change both.', tools: [edit(...mendSum)] },
  { say: 'The other one.', tools: [edit(...mendTwice)] },
  { say: 'That should be all.' },
]

/**
 * What codex and gemini print while they retry, for ever and for minutes. The timeout ends their runs, and such a run
 * still counts as "no network".
 */
const retries: Partial<Record<RealAgent, RegExp>> = {
  codex: /Reconnecting\.\.\. waiting for network/,
  gemini: /Retrying with backoff\.\.\. .*fetch failed/,
}

async function goesOnByItself(place: Place, words: RegExp, back: () => Promise<void>): Promise<void> {
  const { rig, agent, args } = place
  const loop = rig.spawn([...args, '--limit-backoff', '3s', ...neverUp])
  const id = await until('a loop', () => rig.loops()[0])
  const waits = () => rig.events(id).some(({ kind }) => kind === 'wait.started')
  const said = (run: string) => readOr(`${rig.dir(id)}/runs/1/${run}`)
  const trying = retries[agent]
  if (trying) {
    await until('a retry', () => waits() || trying.test(said('out') + said('err')))
    if (!waits()) await timeIsUp(rig, id, 1)
  }
  await until('the loop to wait', waits, 120_000)
  const status = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  await back()
  const ended = await loop.ended
  assert.equal(ended.code, 0, `${ended.stdout}${ended.stderr}${readOr(`${rig.dir(id)}/runs/1/out`)}`)
  assert.deepEqual([status.status, status.iteration], ['waiting', 1])
  assert.match(status.reason, words)
  const { iteration } = JSON.parse(ended.stdout)
  assert.equal(iteration, 1, 'the same iteration was run again')
  const verified = rig.events(id).filter(({ kind }) => kind === 'promise.verified')
  assert.equal(verified.length, 2, 'the promise was run for the baseline and for the run that worked')
}

/** Most of the time is waiting until the program gives up. opencode and cline take a minute, so they need LOOP_LONG. */
const patient = realAgents.filter(agent => !['opencode', 'cline'].includes(agent) || process.env['LOOP_LONG'])

/**
 * opencode and gemini retry for a long time and cline takes seconds of a processor to start, so they need LOOP_LONG.
 * Their overloads are in test/recordings too.
 */
const quick = realAgents.filter(agent => ['claude', 'codex'].includes(agent) || process.env['LOOP_LONG'])

describe('models that are away', { concurrency: 3 }, () => {
  for (const agent of patient) {
    test(`${agent}: without a network the loop waits, and continues once there is one`, async t => {
      const place = await placeFor(t, agent, { turns: work, isAway: true })
      const words = new RegExp(`^${agent} cannot reach its model \\(.+\\); next try in \\d`)
      await goesOnByItself(place, words, () => place.server.comeBack())
    })
  }

  for (const agent of quick) {
    test(`${agent}: an overload is called one, and is waited for`, async t => {
      const place = await placeFor(t, agent, { turns: () => [], idle: { error: overload[agent] } })
      const words = new RegExp(`^the model of ${agent} is overloaded \\(.+\\); next try in \\d`)
      await goesOnByItself(place, words, async () => place.server.add(...work(place.edit)))
    })
  }

  test('claude: a name that cannot be resolved is no network', async t => {
    const place = await placeFor(t, 'claude', work)
    const url = place.server.url
    place.rig.env['ANTHROPIC_BASE_URL'] = 'http://nosuch.invalid'
    const ended = await place.rig.loop([...place.args, '--max-wait', '10s'])
    assert.equal(ended.code, 1, ended.stderr)
    const { status, reason } = JSON.parse(ended.stdout)
    assert.equal(status, 'paused')
    assert.match(reason, /^claude cannot reach its model \(.+\), for longer than --max-wait allows$/)
    const [id = ''] = place.rig.loops()
    place.rig.env['ANTHROPIC_BASE_URL'] = url
    assert.equal((await place.rig.loop(['resume', id, '--json'])).code, 0)
  })
})
