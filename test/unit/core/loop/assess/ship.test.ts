/** The verdict whether to ship: every ground alone, all together, and that a recorded verdict never changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeShip, shipOf } from '../../../../../src/core/loop/assess/ship.ts'
import { decide } from '../../../../../src/core/loop/decide.ts'
import type { State } from '../../../../../src/core/loop/state.ts'
import { summarize } from '../../../../../src/core/loop/summary.ts'
import type { Ship } from '../../../../../src/model/loop/assessment.ts'
import type { Event } from '../../../../../src/model/loop/event.ts'
import type { Criterion } from '../../../../../src/model/loop/spec.ts'
import { verdictBox } from '../../../../../src/views/text/receipt.ts'
import {
  after,
  aResult,
  at,
  but,
  created,
  pass,
  unjudged,
  verified,
  wholeIteration,
} from '../../../../rig/given.ts'

const judged = (state: State, ...results: (typeof pass)[]) => after(state, verified(1, ...results))
const reviewed: Criterion[] = [{ name: 'npm test', command: 'npm test', verification: 'code review' }]
const assumed: Criterion = { name: 'fast enough', command: null, verification: 'assumption' }
const known: Criterion = { name: 'npm test', command: 'npm test' }
const fewer = { tests: { 'npm test': { baseline: 12, last: 9, skippedBefore: 0, skipped: 0 } } }

const rows: [string, State, Ship][] = [
  ['met, by its own run', judged(created(), pass), { verdict: 'SHIP', against: [] }],
  ['not run', created(), { verdict: 'RESEARCH', against: ['unmet'] }],
  ['not met', judged(created(), {}), { verdict: 'RESEARCH', against: ['unmet'] }],
  [
    'assumed',
    judged(created({ criteria: [known, assumed] }), pass),
    { verdict: 'RESEARCH', against: ['unmet', 'assumption'] },
  ],
  [
    'met, and what must not be cannot be judged',
    after(created(), {
      kind: 'promise.verified',
      data: { iteration: 1, results: [aResult(pass)], mustNot: [aResult(unjudged)] },
    }),
    { verdict: 'RESEARCH', against: ['must-not'] },
  ],
  [
    'met, and what must not be is not so',
    after(created(), {
      kind: 'promise.verified',
      data: { iteration: 1, results: [aResult(pass)], mustNot: [aResult({})] },
    }),
    { verdict: 'SHIP', against: [] },
  ],
  [
    'hard to take back',
    judged(created({ prompt: 'change the database schema' }), pass),
    { verdict: 'MONITOR', against: ['hard-to-take-back'] },
  ],
  [
    'only reviewed',
    judged(created({ criteria: reviewed }), pass),
    { verdict: 'MONITOR', against: ['only-reviewed'] },
  ],
  [
    'one is reviewed, another is run',
    judged(created({ criteria: [known, { ...reviewed[0], name: 'b', command: 'b' }] as Criterion[] }), pass, {
      ...pass,
      name: 'b',
      command: 'b',
    }),
    { verdict: 'SHIP', against: [] },
  ],
  [
    'fewer tests',
    but(judged(created(), pass), { doubts: fewer }),
    { verdict: 'MONITOR', against: ['in-doubt'] },
  ],
  [
    'all at once',
    but(judged(created({ criteria: [...reviewed, assumed], prompt: 'drop tables' }), {}), { doubts: fewer }),
    {
      verdict: 'RESEARCH',
      against: ['unmet', 'assumption', 'hard-to-take-back', 'only-reviewed', 'in-doubt'],
    },
  ],
]

for (const [what, state, expected] of rows) {
  test(`ship: ${what}`, () => assert.deepEqual(judgeShip(state), expected))
}

test('the verdict is recorded with every end, and is what is shown from then on', () => {
  const holds = after(at('boundary'), ...wholeIteration(1, pass))
  const decision = decide(holds, 0)
  assert.ok(decision.do === 'record')
  const ship = { verdict: 'SHIP', against: [] }
  assert.deepEqual(decision.event, { kind: 'loop.completed', data: { ship } })
  const ended = after(holds, decision.event)
  assert.deepEqual(summarize(ended).ship, ship)
  // Rules that judge differently today do not change a recorded verdict.
  const doubtful = but(ended, { doubts: fewer })
  assert.deepEqual(judgeShip(doubtful).verdict, 'MONITOR')
  assert.deepEqual(shipOf(doubtful), ship)
  assert.match(verdictBox(doubtful)[0] ?? '', /SHIP/)
})

test('a loop that goes on has no verdict until its next end', () => {
  const failed: Event = {
    kind: 'loop.failed',
    data: { reason: 'stuck', ship: { verdict: 'RESEARCH', against: ['unmet'] } },
  }
  const ended = after(at('boundary'), failed)
  assert.equal(summarize(ended).ship?.verdict, 'RESEARCH')
  assert.equal(summarize(after(ended, { kind: 'loop.resumed', data: {} })).ship, null)
})
