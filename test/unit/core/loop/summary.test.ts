/** The status of a loop and its reason, derived from state: one row for each way a loop can stand. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { State } from '../../../../src/core/loop/state.ts'
import { isActive, type Status, statuses, summarize } from '../../../../src/core/loop/summary.ts'
import {
  after,
  at,
  broken,
  cancelled,
  created,
  createdAt,
  ended,
  held,
  lost,
  pass,
  shipped,
  stages,
  survived,
  unjudged,
  unready,
  verified,
  wholeIteration,
} from '../../../rig/given.ts'

const killed = ended(1, { how: 'killed', exitCode: 137 })
const failedIteration = after(at('boundary'), ...wholeIteration(1, {}, killed))

test('each status, its reason and the fact behind it', () => {
  const rows: [string, State, Status, string | null, string][] = [
    ['new', created(), 'running', null, ''],
    ['cancel asked for', after(at('running'), cancelled), 'running', null, ''],
    [
      'waiting after an agent error',
      after(failedIteration, { kind: 'wait.started', data: { for: 'agent-back-off', until: 9 } }),
      'waiting',
      null,
      'killed, exit 137',
    ],
    [
      'waiting after a lost run',
      after(at('boundary'), ...wholeIteration(1, {}, lost(1, 'the machine was restarted')), {
        kind: 'wait.started',
        data: { for: 'agent-back-off', until: 9 },
      }),
      'waiting',
      null,
      'the machine was restarted',
    ],
    ['paused', after(at('boundary'), held()), 'paused', 'paused-by-user', ''],
    ['paused over budget', after(at('boundary'), held('budget-reached')), 'paused', 'budget-reached', ''],
    [
      'paused by promise errors',
      after(at('settled'), verified(1, unjudged), held('promise-errors')),
      'paused',
      'promise-errors',
      'npm test: exit 127: command not found',
    ],
    [
      'paused by a failed step, in the middle of an iteration',
      after(at('running'), broken, held('step-failed')),
      'paused',
      'step-failed',
      'checkpoint iter-001: disk full',
    ],
    [
      'paused by survivors',
      after(at('ended'), survived, held('survivors')),
      'paused',
      'survivors',
      '7 (sleep)',
    ],
    [
      'completed',
      after(at('settled'), verified(1, pass), { kind: 'loop.completed', data: { ship: shipped } }),
      'completed',
      'completed',
      '',
    ],
    [
      'failed at the limit',
      after(at('boundary'), { kind: 'loop.failed', data: { reason: 'iteration-limit', ship: unready } }),
      'failed',
      'iteration-limit',
      '',
    ],
    [
      'failed: the promise cannot run',
      after(created(), verified(0, unjudged), {
        kind: 'loop.failed',
        data: { reason: 'promise-unrunnable', ship: unready },
      }),
      'failed',
      'promise-unrunnable',
      'npm test: exit 127: command not found',
    ],
    [
      'crashed',
      after(failedIteration, { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } }),
      'crashed',
      'agent-errors',
      'killed, exit 137',
    ],
    [
      'cancelled',
      after(at('running'), cancelled, { kind: 'loop.cancelled', data: { ship: unready } }),
      'cancelled',
      'cancelled',
      '',
    ],
  ]
  for (const [name, state, status, reason, detail] of rows) {
    const summary = summarize(state)
    assert.deepEqual([summary.status, summary.reason, summary.detail], [status, reason, detail], name)
  }
})

test('a pause takes effect at the end of the iteration, and not in the middle of one', () => {
  const within = new Set(['running', 'ended', 'cleared', 'settled'])
  for (const stage of stages) {
    const expected = within.has(stage) ? 'running' : 'paused'
    assert.equal(summarize(after(at(stage), held())).status, expected, stage)
  }
})

test('what was asked for and takes effect later is known, and forgotten once it has', () => {
  const running = at('running')
  assert.equal(summarize(running).pending, null)
  assert.equal(summarize(after(running, held())).pending, 'pause')
  assert.equal(summarize(after(running, held(), cancelled)).pending, 'cancel')
  assert.equal(summarize(after(at('boundary'), held())).pending, null)
  assert.equal(
    summarize(after(running, cancelled, { kind: 'loop.cancelled', data: { ship: unready } })).pending,
    null,
  )
})

test('a pause is shown before a wait, an end before both', () => {
  const waiting = after(at('boundary'), { kind: 'wait.started', data: { for: 'agent-back-off', until: 9 } })
  assert.equal(summarize(after(waiting, held())).status, 'paused')
  const over = after(waiting, held(), {
    kind: 'loop.failed',
    data: { reason: 'iteration-limit', ship: unready },
  })
  assert.equal(summarize(over).status, 'failed')
})

test('the facts of the row', () => {
  const state = after(
    at('boundary', {
      prompt: 'x'.repeat(500),
      criteria: [
        { name: 'a', command: 'x' },
        { name: 'b', command: 'y' },
      ],
    }),
    ...wholeIteration(1, { ...pass, name: 'a', command: 'x' }, ended(1, { costUsd: 2 })),
  )
  const open = summarize(state)
  assert.deepEqual(
    [open.id, open.seq, open.iteration, open.maxIterations, open.costUsd, open.budgetUsd],
    ['a1b2c3', state.seq, 1, 10, 2, 25],
  )
  assert.deepEqual([open.promise, open.agent, open.cwd], ['x && y', 'custom', '/tree'])
  assert.equal(open.prompt, `${'x'.repeat(399)}…`)
  assert.deepEqual([open.createdAt, open.endedAt, open.waitUntil], [createdAt, null, null])
  const verification = 'execution output'
  const evidence = {
    command: 'x',
    exitCode: 0,
    durationMs: 400,
    failing: null,
    checkpoint: null,
    output: 'x',
  }
  assert.deepEqual(open.criteria, {
    a: { met: true, verification, verdict: 'PASS', why: 'exit 0', evidence },
    b: { met: false, verification, verdict: null, why: 'not run yet', evidence: null },
  })
  const over = after(state, { kind: 'loop.cancelled', data: { ship: unready } })
  assert.equal(summarize(over).endedAt, over.lastAt)
  const again = after(over, { kind: 'loop.resumed', data: {} })
  assert.equal(summarize(again).endedAt, null)
})

test('active is what may start an agent without being asked again', () => {
  assert.deepEqual(statuses.filter(isActive), ['queued', 'running', 'waiting'])
})

test('a criterion may have any name', () => {
  const name = '__proto__'
  const state = after(
    created({ criteria: [{ name, command: 'x' }] }),
    verified(0, { ...pass, name, command: 'x' }),
  )
  const rows = Object.entries(summarize(state).criteria).map(([key, { verdict }]) => [key, verdict])
  assert.deepEqual(rows, [[name, 'PASS']])
})
