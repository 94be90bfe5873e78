/** The row that moves: what goes on, in each situation, and what can be pressed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../../../src/model/loop/event.ts'
import { textWidth } from '../../../../../src/views/layout/width.ts'
import { movingRows, workOf } from '../../../../../src/views/screen/start/moving.ts'
import { clock } from '../../../../../src/views/screen/start/pieces.ts'
import {
  after,
  at,
  cancelled,
  cleared,
  ended,
  held,
  hookStarted,
  pass,
  stages,
  started,
  taken,
  unready,
  verified,
} from '../../../../rig/given.ts'
import { viewOf } from '../../../../rig/start-lines.ts'

const now = 100_000_000
const keys = 'p pause  x cancel  i tell it  ? keys'

type State = Parameters<typeof movingRows>[0]

function row(state: State, given: Partial<Parameters<typeof movingRows>[1]> = {}, width = 100): string {
  const work = workOf(state)
  const moving = { work, since: now - 26_000, now, frame: 2, last: '', keys: 'keys' as const, ...given }
  return movingRows(state, moving, viewOf(width)).join('\n')
}

const running = at('running', { agent: 'claude' })
const wait = (for_: 'agent-back-off' | 'usage-limit'): Event => ({
  kind: 'wait.started',
  data: { for: for_, until: now + 48_000 },
})
const limited = (kind?: 'network' | 'overload') =>
  after(
    running,
    ended(1, { limit: { until: null, why: 'full', ...(kind && { kind }) } }),
    cleared(1),
    wait('usage-limit'),
  )
const failing = [
  verified(0, {}),
  taken('initial'),
  taken('iter-001'),
  started(1),
  ended(1, { exitCode: 1, failed: 'x' }),
  cleared(1),
  taken('iter-001-after', { changes: { added: 0, removed: 0, files: 0 } }),
  verified(1, {}),
  wait('agent-back-off'),
]
const passed = after(at('settled'), verified(1, pass))

for (const [what, state, left, right] of [
  ['the baseline', at('baseline'), '  before ⠹ 26s  running npm test', keys],
  ['an agent without a word', running, '  1  ⠹ 26s   claude: working', keys],
  ['the tree is saved', at('initial'), '  1  ⠹ 26s   saving the files', keys],
  ['the check', at('settled'), '  1  ⠹ 26s   running npm test', keys],
  ['a second look', passed, '  1  ⠹ 26s   passes; checking that in a clean copy', keys],
  [
    'a usage limit',
    limited(),
    `  1  ⠹       usage limit of claude, resumes ${clock(now + 48_000, now)} (in 48s)`,
    'x cancel  ? keys',
  ],
  [
    'no network',
    limited('network'),
    `  1  ⠹       no network for claude, next try in 48s (${clock(now + 48_000, now)})`,
    'x cancel  ? keys',
  ],
  [
    'an overload',
    limited('overload'),
    `  1  ⠹       the model of claude is overloaded, next try in 48s (${clock(now + 48_000, now)})`,
    'x cancel  ? keys',
  ],
  [
    'an agent that failed',
    after(at('baseline'), ...failing),
    `  1  ⠹       custom failed, try 2 of 3 in 48s (${clock(now + 48_000, now)})`,
    'x cancel  ? keys',
  ],
  [
    'a pause to come',
    after(running, held()),
    '  1  ⠹ 26s   claude: working, then pauses',
    'r no pause  x cancel  ? keys',
  ],
  ['a cancel', after(running, cancelled), '  1  ⠹ 26s   stopping claude', ''],
  [
    'a hook',
    after(at('boundary'), { kind: 'loop.failed', data: { reason: 'stuck', ship: unready } }, hookStarted(1)),
    '  0  ⠹ 26s   running clean',
    'x stop it',
  ],
] as const)
  test(`what goes on: ${what}`, () => {
    const shown = row(state)
    assert.equal(shown.slice(0, left.length), left)
    assert.equal(shown.slice(left.length).trim(), right)
  })

test('nothing moves at rest, and none while a person types an answer', () => {
  assert.equal(row(after(at('boundary'), held())), '')
  const asked = after(at('boundary', { attended: true }), {
    kind: 'question.asked',
    data: { criterion: 'a' },
  })
  assert.equal(row(asked), '')
})

for (const [line, words] of [
  ['→ Edit: cart.js', 'editing cart.js'],
  ['→ Bash: npm test', 'running npm test'],
  ['→ WebFetch: example.org', 'WebFetch: example.org'],
  ['I look   at\tthe tests.', 'I look at the tests.'],
  ['\u001B[31mred\u001B[0m', 'red'],
] as const)
  test(`the step of an agent: ${JSON.stringify(line)}`, () => {
    assert.equal(row(running, { last: line }).slice(13).split('  ')[0], `claude: ${words}`)
  })

test('keys: their help below, and Ctrl-C where none can be pressed', () => {
  assert.match(row(running, { keys: 'none' }), /Ctrl-C pauses, twice cancels$/)
  assert.match(row(after(running, held()), { keys: 'none' }), /Ctrl-C cancels$/)
  const [first = '', ...help] = row(running, { keys: 'help' }).split('\n')
  assert.match(first, /\? keys$/)
  assert.equal(help.length, 3)
})

test('the row never wraps: at any width, in every stage, whatever the agent prints', () => {
  const last = '漢字'.repeat(80)
  for (const width of [20, 40, 80, 100, 140, 200])
    for (const stage of stages)
      for (const line of row(at(stage), { last }, width).split('\n'))
        assert.ok(textWidth(line) <= width, line)
})
