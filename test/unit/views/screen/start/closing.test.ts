/** The last lines of a loop on a terminal, for each way that it ends or rests: why, the one fact, what to type. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reason } from '../../../../../src/model/failure.ts'
import type { Event } from '../../../../../src/model/loop/event.ts'
import { holdReasons } from '../../../../../src/model/loop/words.ts'
import { textWidth } from '../../../../../src/views/layout/width.ts'
import {
  broken,
  cancelled,
  cleared,
  ended,
  held,
  noBytes,
  pass,
  shipped,
  started,
  taken,
  unready,
  verified,
} from '../../../../rig/given.ts'
import { closed, fails, iteration, play, viewOf } from '../../../../rig/start-lines.ts'

const cart = {
  prompt: 'fix it',
  criteria: [{ name: 'node --test', command: 'node --test' }],
  agent: 'claude' as const,
}
const of = { name: 'node --test', command: 'node --test' }
const seven = { ...of, ...fails('hex numbers', '__proto__ is ignored'), failing: 7 }
const changed = { changes: { added: 3, removed: 3, files: 1 }, paths: ['cart.js'] }
const begun = [verified(0, seven), taken('initial')]
const failedOnce = [...begun, ...iteration(1, { end: { costUsd: 1.05 }, result: seven })]
const unmet = { data: { ship: unready } }

const review = 'review  loop diff a1b2c3'
const undo = 'undo  loop rollback a1b2c3 initial'
const both = `${review}        ${undo}`
const still = '  still failing: hex numbers (cart.test.js:31) · 6 more: loop logs a1b2c3 --promise'

/** Without the empty line before them. */
const end = (steps: Parameters<typeof play>[1], spec: Parameters<typeof play>[0] = {}, width = 100) =>
  closed(play({ ...cart, ...spec }, steps), changed, viewOf(width)).slice(1)

test('it passed before any agent', () => {
  const completed: Event = { kind: 'loop.completed', data: { ship: shipped } }
  assert.deepEqual(closed(play(cart, [verified(0, { ...of, ...pass }), completed]), null), [
    '',
    '✓ Nothing to do: node --test passes already. No agent was started.',
  ])
})

test('done: the totals, what changed, and that nothing that judges did', () => {
  const verdict: Event = {
    kind: 'promise.verified',
    data: { iteration: 1, results: [], product: 1 } as never,
  }
  const passed = verified(1, { ...of, ...pass, total: 7 })
  Object.assign(verdict.data, passed.data)
  const steps = [
    ...begun,
    taken('iter-001'),
    started(1),
    62_000,
    ended(1, { costUsd: 0.59 }),
    cleared(1),
    taken('iter-001-after'),
    verdict,
  ]
  assert.deepEqual(end([...steps, { kind: 'loop.completed', data: { ship: shipped } }]), [
    '✓ Done in 1m 02s, 1 iteration, $0.59. cart.js +3 −3. Tests and settings untouched.',
    `  ${both}`,
  ])
})

test('done, but look at it: what is in doubt', () => {
  const monitor = { verdict: 'MONITOR' as const, against: ['in-doubt' as const] }
  const less = { ...of, ...pass, total: 1 }
  const steps = [verified(0, { ...seven, total: 3 }), taken('initial'), ...iteration(1, { result: less })]
  assert.deepEqual(end([...steps, { kind: 'loop.completed', data: { ship: monitor } }]), [
    '⚠ Done in <1s, 1 iteration, but look at: fewer tests (3 → 1). cart.js +3 −3.',
    `  ${both}`,
  ])
})

test('suspect: what made it pass, and the three ways on', () => {
  const steps: Parameters<typeof play>[1] = [
    verified(0, { ...seven, total: 171 }),
    taken('initial'),
    ...iteration(1, { end: { costUsd: 0.4 }, result: { ...of, ...pass, total: 1 } }),
    { kind: 'suspicion.raised', data: { iteration: 1, why: 'fewer-tests', files: ['node --test'] } },
    { kind: 'question.asked', data: { criterion: 'right?', suspect: true } },
    held('suspect'),
  ]
  assert.deepEqual(end(steps, { maxIterations: 1 }), [
    '⚠ Tests pass, but fewer tests ran (171 → 1 tests). Not counted as done. $0.40 spent.',
    `  ${both}`,
    '  accept  loop answer a1b2c3 yes && loop resume a1b2c3',
    '  reject  loop answer a1b2c3 "restore the tests" && loop resume a1b2c3',
  ])
})

const stuck = [
  ...failedOnce,
  ...iteration(2, { end: { costUsd: 0 }, result: seven }),
  ...iteration(3, { end: { costUsd: 0 }, result: seven }),
]
const ofAgent = { exitCode: 1, failed: 'API Error: 500' }

for (const [what, steps, expected, spec] of [
  [
    'no progress',
    [...stuck, { kind: 'loop.failed', data: { reason: 'stuck', ship: unready } }],
    [
      '■ Stopped after 3 iterations: no progress (7 failing since the beginning). $1.05 spent.',
      still,
      `  try     loop inject a1b2c3 "a hint for the agent" && loop resume a1b2c3`,
      `  ${both}`,
    ],
    {},
  ],
  [
    'the limit of iterations',
    [...failedOnce, { kind: 'loop.failed', data: { reason: 'iteration-limit', ship: unready } }],
    [
      '■ Stopped after 1 iteration (the limit): 7 still failing. $1.05 spent.',
      still,
      '  continue  loop resume a1b2c3 --max-iterations 11',
      `  ${review.replace('review', 'review  ')}        ${undo}`,
    ],
    { maxIterations: 1 },
  ],
  [
    'no file changed',
    [...failedOnce, { kind: 'loop.failed', data: { reason: 'no-change', ship: unready } }],
    ['■ Stopped after 1 iteration: claude changed no file in the last 3. $1.05 spent.', still],
    {},
  ],
  [
    'the budget',
    [...failedOnce, held('budget-reached')],
    ['■ Paused: the budget is used up ($1.05 of $1).', still, '  continue  loop resume a1b2c3 --budget 3'],
    { budgetUsd: 1 },
  ],
  [
    'a pause',
    [...failedOnce, held()],
    ['■ Paused after iteration 1. $1.05 spent.', still, '  continue  loop resume a1b2c3'],
    {},
  ],
  [
    'a cancel',
    [
      ...begun,
      taken('iter-001'),
      started(1),
      cancelled,
      ended(1, { how: 'stopped' }),
      cleared(1),
      { kind: 'loop.cancelled', ...unmet },
    ],
    ['■ Cancelled in iteration 1.', still, '  continue  loop resume a1b2c3'],
    {},
  ],
  [
    'an agent that fails',
    [
      ...begun,
      ...iteration(1, { end: ofAgent, changes: { added: 0, removed: 0, files: 0 }, result: seven }),
      { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } },
    ],
    [
      '■ Stopped: claude failed: API Error: 500.',
      still,
      '  read    loop logs a1b2c3        retry  loop resume a1b2c3',
    ],
    {},
  ],
  [
    'no sign-in',
    [
      ...begun,
      taken('iter-001'),
      started(1),
      ended(1, { auth: 'Not logged in' }),
      cleared(1),
      held('agent-auth'),
    ],
    ['■ Paused: claude is not signed in: Not logged in.', still],
    {},
  ],
  [
    'a question of the agent',
    [
      ...begun,
      ...iteration(1, { end: { question: 'red or blue?' }, result: seven }),
      { kind: 'question.asked', data: { criterion: 'red or blue?', agent: true } },
      held('unanswered'),
    ],
    [
      '■ Paused: the agent asks: red or blue?',
      still,
      '  answer  loop answer a1b2c3 "your answer" && loop resume a1b2c3',
    ],
    {},
  ],
  [
    'an agent that cannot go on',
    [
      ...begun,
      ...iteration(1, { end: { said: 'BLOCKED: no database' }, result: seven }),
      held('agent-blocked'),
    ],
    ['■ Paused: claude cannot continue: no database.', still],
    {},
  ],
  [
    'protected files',
    [
      ...begun,
      taken('iter-001'),
      started(1),
      ended(1),
      cleared(1),
      taken('iter-001-after', { touched: ['a.test.js'] }),
      verified(1, seven),
      held('protected-changed'),
    ],
    ['■ Paused: protected files changed: a.test.js.', still, '  accept  loop resume a1b2c3'],
    { protect: ['a.test.js'] },
  ],
  [
    'a full disk',
    [...begun, broken, held('step-failed')],
    ['■ Paused: checkpoint iter-001: disk full.', still, '  once fixed  loop resume a1b2c3'],
    {},
  ],
] as [string, Parameters<typeof play>[1], string[], Parameters<typeof play>[0]][])
  test(`it stopped: ${what}`, () => {
    const lines = end(steps, spec)
    assert.deepEqual(lines.slice(0, expected.length), expected)
  })

test('a check that cannot run: what it printed, and no change to review', () => {
  const output = { ...noBytes, tail: 'sh: 1: nosuch: not found\n' }
  const error = { ...of, verdict: 'ERROR' as const, why: 'exit 127: command not found', output }
  const steps = [
    verified(0, error),
    { kind: 'loop.failed', data: { reason: 'promise-unrunnable', ship: unready } } as const,
  ]
  assert.deepEqual(end(steps), [
    '■ Stopped: the check cannot run: node --test: exit 127: command not found.',
    '  │ sh: 1: nosuch: not found',
  ])
})

test('this program leaves and the agent stays', () => {
  assert.deepEqual(
    end([...begun, taken('iter-001'), started(1)])[0],
    '⚠ claude continues without this terminal.',
  )
})

test('every reason to rest has a sentence that ends, fits and says nothing twice', () => {
  for (const reason of holdReasons) {
    const lines = end([...failedOnce, held(reason)], { budgetUsd: 25 }, 80)
    const [head = ''] = lines
    assert.match(head, /^[■⚠] \S/, reason)
    assert.doesNotMatch(lines.join('\n'), /undefined|null|: \.|\.\./, reason)
    for (const line of lines.filter(one => !one.includes('loop '))) assert.ok(textWidth(line) <= 80, line)
    assert.equal(new Set(lines).size, lines.length, `${reason satisfies Reason}: ${lines.join('\n')}`)
  }
})

test('what is to be typed is one line each where two do not fit', () => {
  const lines = end([...failedOnce, held()], {}, 50)
  assert.deepEqual(lines.slice(-3), [
    '  continue  loop resume a1b2c3',
    '  review    loop diff a1b2c3',
    '  undo      loop rollback a1b2c3 initial',
  ])
})
