/** What a terminal shows of a loop while it runs: each line whole, as it was drawn. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../../../src/model/loop/event.ts'
import { textWidth } from '../../../../../src/views/layout/width.ts'
import { inCharset } from '../../../../../src/views/screen/look.ts'
import {
  ended,
  held,
  lost,
  noBytes,
  pass,
  recorded,
  shipped,
  started,
  taken,
  verified,
} from '../../../../rig/given.ts'
import { closed, fails, iteration, play, viewOf } from '../../../../rig/start-lines.ts'

const cart = {
  prompt: 'Fix the failing tests of the shopping cart\nand nothing else',
  criteria: [{ name: 'node --test', command: 'node --test' }],
  agent: 'claude' as const,
}
const of = { name: 'node --test', command: 'node --test' }
const names = ['empty cart', 'a discount', 'no discount', 'shipping is free from 50', 'shipping of nothing']
const failing = (...left: string[]) => ({ ...of, ...fails(...left) })
const passing = { ...of, ...pass, total: 12 }
const completed: Event = { kind: 'loop.completed', data: { ship: shipped } }

const drawn = [
  verified(0, failing(...names)),
  taken('initial'),
  ...iteration(1, {
    ms: 62_000,
    end: { costUsd: 0.21, said: 'Reading.\nThe total ignores quantities; fixing that first. All done!\n' },
    result: failing(...names.slice(1)),
  }),
  ...iteration(2, {
    ms: 48_000,
    end: { costUsd: 0.18 },
    result: failing('shipping is free from 50', 'empty cart'),
  }),
  ...iteration(3, { ms: 51_000, end: { costUsd: 0.2 }, result: { ...passing } }),
  completed,
]

test('the loop that the drawing shows', () => {
  const played = play(cart, drawn)
  assert.deepEqual(played.lines, [
    'loop a1b2c3  Fix the failing tests of the shopping cart',
    '  node --test · claude · up to 10 iterations, $25',
    '',
    '  before     ✗ 5 failing   empty cart · a discount · no discount · 2 more',
    '  1  1m 02s  ✗ 5 → 4       cart.js +1 −1                                       $0.21',
    '             "The total ignores quantities; fixing that first. All done!"',
    '             still failing: a discount (cart.test.js:31) · 3 more',
    '  2     48s  ✗ 4 → 2       cart.js +1 −1                                       $0.18',
    '             still failing: shipping is free from 50 (cart.test.js:31) · 1 more',
    '  3     51s  ✓ all 12 tests pass  cart.js +1 −1                                $0.20',
  ])
  assert.deepEqual(closed(played, { changes: { added: 3, removed: 3, files: 1 }, paths: ['cart.js'] }), [
    '',
    '✓ Done in 2m 41s, 3 iterations, $0.59. cart.js +3 −3.',
    '  review  loop diff a1b2c3        undo  loop rollback a1b2c3 initial',
  ])
})

for (const width of [30, 60, 80, 100, 140])
  test(`${width} columns: no row of an iteration is wider, and what cannot be shown is counted`, () => {
    const view = viewOf(width)
    const { lines } = play(cart, drawn, view)
    for (const line of lines) assert.ok(textWidth(line) <= width, line)
    assert.equal(lines.length, 10)
  })

test('a locale without Unicode: the same lines in ASCII', () => {
  const { lines } = play(cart, drawn)
  const ascii = lines.map(line => inCharset({ unicode: false }, line))
  assert.doesNotMatch(ascii.join(''), /[^ -~]|\?/)
  assert.equal(
    ascii[4],
    '  1  1m 02s  x 5 -> 4       cart.js +1 -1                                       $0.21',
  )
})

/** The lines below the first ones; with the events of a baseline, if the loop has one. */
const rows = (steps: Parameters<typeof play>[1], before?: Event) =>
  play({ ...cart, baseline: before !== undefined }, [
    ...(before ? [before] : []),
    taken('initial'),
    ...steps,
  ]).lines.slice(3)

const same = failing('empty cart')

for (const [what, results, expected] of [
  ['the same number as before', [same, same], '✗ still 1'],
  ['no number at all', [{ ...of }, { ...of }], '✗ still fails (exit 1)'],
  ['a number only now', [{ ...of }, same], '✗ 1 failing'],
  ['one test that passes', [same, { ...passing, total: 1 }], '✓ its test passes'],
  ['no number of tests', [same, { ...passing, total: 0 }], '✓ passes'],
  [
    'a check that could not run',
    [same, { ...of, verdict: 'ERROR', why: 'timed out after 5m' }],
    '! timed out after 5m',
  ],
] as const)
  test(`the verdict of an iteration: ${what}`, () => {
    const [before = {}, now = {}] = results
    const lines = rows([...iteration(1, { result: before }), ...iteration(2, { result: now }), completed])
    const row = lines.find(line => line.startsWith('  2 '))
    assert.equal(row?.slice(13).replace(/ {2,}cart.*/, ''), expected)
  })

for (const [what, changes, paths, expected] of [
  ['one file', { added: 3, removed: 0, files: 1 }, ['src/a b.js'], 'src/a b.js +3 −0'],
  ['several files', { added: 30, removed: 2, files: 3 }, ['a', 'b', 'c'], '3 files +30 −2'],
  ['none', { added: 0, removed: 0, files: 0 }, [], 'no changes'],
  ['a picture', { added: 0, removed: 0, files: 1 }, ['a.png'], 'a.png changed'],
  [
    'a name that would control the terminal',
    { added: 1, removed: 0, files: 1 },
    ['a\u001B[2Jb'],
    'a\\u{1b}[2Jb +1 −0',
  ],
] as const)
  test(`what an iteration changed: ${what}`, () => {
    const [row = ''] = rows(iteration(1, { changes, paths: [...paths], result: same }))
    assert.equal(row.slice(27), expected)
  })

for (const [what, end, expected] of [
  [
    'an error that it reports',
    { exitCode: 1, failed: 'API Error: 500' },
    'claude failed (exit 1): API Error: 500',
  ],
  [
    'an exit code',
    { exitCode: 7, err: { ...noBytes, tail: 'boom\nno such model\n' } },
    'claude failed (exit 7): no such model',
  ],
  [
    'its time',
    { how: 'timeout', exitCode: null, durationMs: 90_000 },
    'claude was stopped after 1m 30s (--timeout); its work is kept',
  ],
  [
    'silence',
    { how: 'idle', exitCode: null, durationMs: 300_000 },
    'claude was stopped after 5m 00s: it printed nothing for too long',
  ],
  [
    'a program that is not there',
    { how: 'unstartable', exitCode: 127, err: { ...noBytes, tail: 'claude: not found\n' } },
    'claude could not start: claude: not found',
  ],
  ['a kill', { how: 'killed', exitCode: null, durationMs: 2_000 }, 'claude was killed after 2s'],
  [
    'too much output',
    { how: 'flooded', exitCode: null, out: { ...noBytes, bytes: 3_000_000 } },
    'claude was stopped: it printed 3.0 MB (--max-output)',
  ],
] as const)
  test(`a run that did not end well is said below its iteration: ${what}`, () => {
    const lines = rows(iteration(1, { end: { ...end }, result: { ...of } }))
    assert.equal(lines[1]?.trim(), expected)
  })

test('a run that disappeared', () => {
  const [, words = ''] = rows([
    taken('iter-001'),
    started(1),
    lost(1, 'the machine was restarted'),
    { kind: 'run.cleared', data: { run: 1, killed: 0, suspects: [] } },
    taken('iter-001-after'),
    verified(1, { ...of }),
  ])
  assert.equal(words.trim(), 'claude disappeared: the machine was restarted')
})

test('several checks: how many pass, and which do not', () => {
  const criteria = [
    { name: 'tests', command: 'npm test' },
    { name: 'lint', command: 'npm run lint' },
  ]
  const tests = { name: 'tests', command: 'npm test' }
  const lint = { name: 'lint', command: 'npm run lint' }
  const two = [verified(0, { ...tests, failing: 2 }, lint), taken('initial'), taken('iter-001'), started(1)]
  const { lines } = play({ ...cart, criteria }, [
    ...two,
    ended(1),
    taken('iter-001-after'),
    verified(1, { ...tests, ...pass }, { ...lint, why: 'exit 2' }),
  ])
  assert.deepEqual(lines.slice(1), [
    '  tests · lint · claude · up to 10 iterations, $25',
    '',
    '  before     ✗ 0 of 2 checks pass  tests (exit 1) · lint (exit 1)',
    '  1     <1s  ✗ 1 of 2 checks pass',
    '             still failing: lint (exit 2)',
  ])
})

test('an unknown runner: what it printed last', () => {
  const output = { ...noBytes, tail: 'checking\n3 pages are broken\n\n' }
  const lines = rows(
    iteration(1, { result: { ...of, output: { ...output, tail: '2 pages are broken' } } }),
    verified(0, { ...of, output }),
  )
  assert.deepEqual(
    [lines[0], lines[2]],
    ['  before     ✗ fails (exit 1)  3 pages are broken', '             │ 2 pages are broken'],
  )
})

const green = { ...passing, total: 6 }
const suspect: Event = {
  kind: 'suspicion.raised',
  data: { iteration: 1, why: 'steering-alone', files: ['test/num.js'] },
}

test('a pass that is suspect: its row says so, and the agent is told', () => {
  assert.deepEqual(
    rows(
      [...iteration(1, { result: { ...green, total: 1 } }), suspect],
      verified(0, { ...of, failing: 2, total: 171 }),
    ).slice(1),
    [
      '  1     <1s  ⚠ suspect     cart.js +1 −1',
      '             passes, but only because test/num.js changed (171 → 1 tests): told the',
      '             agent',
    ],
  )
})

test('a hold-out that fails', () => {
  const result = {
    name: 'hold-out',
    command: 'x',
    verdict: 'FAIL',
    why: 'exit 1',
    exitCode: 1,
    durationMs: 1,
    failing: null,
    output: noBytes,
  } as const
  const lines = rows([
    ...iteration(1, { result: green }),
    { kind: 'holdout.judged', data: { iteration: 1, result } },
  ])
  assert.deepEqual(lines, ['  1     <1s  ✗ hold-out fails  cart.js +1 −1'])
})

test('a wait for a limit leaves how long it took', () => {
  const limit = { until: null, why: 'You have hit your limit' }
  const lines = rows([
    taken('iter-001'),
    started(1),
    ended(1, { limit }),
    { kind: 'run.cleared', data: { run: 1, killed: 0, suspects: [] } },
    { kind: 'wait.started', data: { for: 'usage-limit', until: 4_000_000 } },
    2_880_000,
    { kind: 'wait.ended', data: {} },
  ])
  assert.deepEqual(lines, ['  1 48m 00s  ◷ waited: limit  claude: You have hit your limit'])
})

test('a loop that continues says after which iteration, and where it stands', () => {
  const { lines } = play(cart, [
    verified(0, same),
    taken('initial'),
    ...iteration(1, { result: same }),
    held(),
    { kind: 'loop.resumed', data: {} },
  ])
  assert.deepEqual(lines.slice(-3), [
    'loop a1b2c3  Fix the failing tests of the shopping cart',
    '  node --test · claude · up to 10 iterations, $25 · continues after iteration 1',
    '',
  ])
})

for (const [event, expected] of [
  [{ kind: 'agent.switched', data: { to: 'codex', why: 'usage limit' } }, ['now codex (usage limit)']],
  [{ kind: 'context.injected', data: { text: 'look at x' } }, ['the agent reads this in its next iteration']],
  [{ kind: 'context.injected', data: { text: 'x', by: 'panel' } }, []],
  [
    { kind: 'question.answered', data: { criterion: 'it looks right', met: false, by: 'me', text: 'no' } },
    ['me: no, it looks right'],
  ],
  [{ kind: 'tree.restored', data: { to: 'initial', written: 1, deleted: 0 } }, ['rolled back to initial']],
  [
    { kind: 'checkpoint.failed', data: { name: 'mine', why: 'disk full' } },
    ['no checkpoint mine: disk full'],
  ],
  [taken('iter-001', { skipped: ['pipe'] }), ['cannot be saved, so not restored by an undo: pipe']],
  [recorded({ kind: 'loop.queued', data: { priority: 'low' } }), []],
] as [Event, string[]][])
  test(`what is not as usual: ${event.kind} ${expected.join()}`, () => {
    assert.deepEqual(
      rows([event]).map(line => line.trim()),
      expected,
    )
  })

test('the limits and the agent of the first lines', () => {
  const facts = (spec: Parameters<typeof play>[0]) => play({ ...cart, ...spec }, []).lines[1]
  assert.equal(facts({ maxIterations: null, budgetUsd: null }), '  node --test · claude · without a limit')
  assert.equal(
    facts({ maxIterations: 1, model: 'opus', fallbacks: [{ agent: 'codex', agentCmd: 'codex' }] }),
    '  node --test · claude (opus), then codex · up to 1 iteration, $25',
  )
  assert.equal(
    facts({ checkpoint: 'none' }),
    '  node --test · claude · up to 10 iterations, $25 · no checkpoints, so no undo',
  )
  const criteria = [...cart.criteria, { name: 'it looks right', command: null }]
  assert.equal(
    play({ ...cart, criteria }, [], viewOf(70)).lines[1],
    '  node --test · 1 more · claude · up to 10 iterations, $25',
  )
  assert.equal(
    play({ ...cart, criteria }, [], viewOf(100)).lines[1],
    '  node --test · you confirm "it looks right" · claude · up to 10 iterations, $25',
  )
})
