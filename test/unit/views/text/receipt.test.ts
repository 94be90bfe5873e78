/** The closing summary, whole, for each way a loop can end or rest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { State } from '../../../../src/core/loop/state.ts'
import type { Event } from '../../../../src/model/loop/event.ts'
import { receipt } from '../../../../src/views/text/receipt.ts'
import {
  after,
  at,
  broken,
  cancelled,
  created,
  ended,
  held,
  noBytes,
  pass,
  shipped,
  unjudged,
  unready,
  verified,
  wholeIteration,
} from '../../../rig/given.ts'

const printed = (state: State) => receipt(state, state.lastAt + 60_000)
const output = { ...noBytes, tail: 'sh: npm: not found\nsecond line\n\n' }

test('completed: the criteria, then what was verified and what it took', () => {
  const state = after(at('boundary'), ...wholeIteration(1, pass, ended(1, { costUsd: 1.5 })), {
    kind: 'loop.completed',
    data: { ship: shipped },
  })
  assert.deepEqual(printed(state), [
    '<loop-complete>',
    'All success criteria satisfied:',
    '- npm test: ✓',
    '</loop-complete>',
    '',
    '╭─ 🟢 SHIP ──────────────────────────╮',
    '│ Verified: execution output         │',
    '│ Tasks: 1/1 complete                │',
    '│ Subjective: ~– · Type 2B · 1pt     │',
    '╰────────────────────────────────────╯',
    '',
    'Loop a1b2c3 completed: the promise holds.',
    '  promise     npm test: PASS (exit 0, 0.4s), run by loop itself',
    '  iterations  1 of 10',
    '  time        9.0s',
    '  cost        $1.50',
    '  sandbox     none (--sandbox off)',
  ])
})

test('completed by the baseline: no agent ran, so it cost nothing', () => {
  const state = after(created({ maxIterations: null }), verified(0, pass), {
    kind: 'loop.completed',
    data: { ship: shipped },
  })
  assert.deepEqual(printed(state).slice(11), [
    'Loop a1b2c3 completed: the promise already holds.',
    '  promise     npm test: PASS (exit 0, 0.4s), run by loop itself',
    '  iterations  0',
    '  time        2.0s',
    '  cost        $0',
    '  sandbox     none (--sandbox off)',
  ])
})

test('failed at the limit of iterations', () => {
  const state = after(at('boundary', { maxIterations: 1 }), ...wholeIteration(1), {
    kind: 'loop.failed',
    data: { reason: 'iteration-limit', ship: unready },
  })
  assert.deepEqual(printed(state), [
    'Loop a1b2c3 failed: 1 iteration used and the promise does not hold.',
    '  promise     npm test: FAIL (exit 1, 0.4s), run by loop itself',
    '  iterations  1 of 1',
    '  time        9.0s',
    '  cost        unknown (the agent reports none)',
    '  sandbox     none (--sandbox off)',
    '  next        loop resume a1b2c3 --max-iterations 11',
    '',
    '╭─ 🔴 RESEARCH ──────────────────────╮',
    '│ Verified: nothing                  │',
    '│ Tasks: 0/1 complete                │',
    '│ Subjective: ~– · Type 2B · 1pt     │',
    '╰────────────────────────────────────╯',
  ])
})

test('refused because the promise cannot run: with what it printed', () => {
  const state = after(created(), verified(0, { ...unjudged, output }), {
    kind: 'loop.failed',
    data: { reason: 'promise-unrunnable', ship: unready },
  })
  assert.deepEqual(printed(state), [
    'Loop a1b2c3 failed: the promise cannot be judged: npm test: exit 127: command not found.',
    '  promise     npm test: ERROR (exit 127: command not found, 0.4s), run by loop itself',
    '  iterations  0 of 10',
    '  time        2.0s',
    '  cost        $0',
    '  sandbox     none (--sandbox off)',
    '  │ sh: npm: not found',
    '  │ second line',
    '  next        Mend the command, or the program it calls, and start again.',
    '',
    '╭─ 🔴 RESEARCH ──────────────────────╮',
    '│ Verified: nothing                  │',
    '│ Tasks: 0/1 complete                │',
    '│ Subjective: ~– · Type 2B · 1pt     │',
    '╰────────────────────────────────────╯',
  ])
})

test('what a promise printed is shown without its escapes', () => {
  const tail = 'a\u001B[2J\u001B]0;owned\u0007b\r\n\u001B[31mred\u001B[0m\n'
  const state = after(created(), verified(0, { ...unjudged, output: { ...noBytes, tail } }), {
    kind: 'loop.failed',
    data: { reason: 'promise-unrunnable', ship: unready },
  })
  const shown = printed(state).filter(line => line.startsWith('  │ '))
  assert.deepEqual(shown, ['  │ ab', '  │ \u001B[31mred\u001B[0m'])
})

test('paused by promise errors: with what it printed', () => {
  const state = after(at('settled'), verified(1, { ...unjudged, output }), held('promise-errors'))
  const lines = printed(state)
  assert.match(lines[0] ?? '', /^Loop a1b2c3 paused: the promise could not be judged three times in a row: /)
  assert.deepEqual(lines.slice(-3), [
    '  │ sh: npm: not found',
    '  │ second line',
    '  next        loop resume a1b2c3',
  ])
})

test('crashed, cancelled, paused', () => {
  const killed = after(at('boundary'), ...wholeIteration(1, {}, ended(1, { how: 'killed', exitCode: 137 })))
  const sentence: Event = {
    kind: 'step.failed',
    data: { step: 'checkpoint iter-002', why: 'The disk is full. Make room.' },
  }
  const rows: [State, string, string[]][] = [
    [
      after(killed, { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } }),
      'Loop a1b2c3 crashed: the agent failed three times in a row: killed, exit 137.',
      [
        '  next        loop logs a1b2c3',
        '  next        loop resume a1b2c3',
        "  next        With another command: loop resume a1b2c3 --agent-cmd '<command>'",
      ],
    ],
    [
      after(killed, cancelled, { kind: 'loop.cancelled', data: { ship: unready } }),
      'Loop a1b2c3 cancelled: cancelled by you.',
      ['  next        loop resume a1b2c3'],
    ],
    [after(killed, held()), 'Loop a1b2c3 paused: paused by you.', ['  next        loop resume a1b2c3']],
    [
      after(killed, broken, held('step-failed')),
      'Loop a1b2c3 paused: checkpoint iter-001: disk full.',
      ['  next        Mend the cause, then: loop resume a1b2c3'],
    ],
    [
      after(killed, sentence, held('step-failed')),
      'Loop a1b2c3 paused: checkpoint iter-002: The disk is full. Make room.',
      ['  next        Mend the cause, then: loop resume a1b2c3'],
    ],
  ]
  for (const [state, head, next] of rows) {
    const lines = printed(state)
    assert.equal(lines[0], head)
    assert.deepEqual(
      lines.filter(line => line.startsWith('  next')),
      next,
    )
    assert.ok(!lines.join('\n').includes('loop-complete'))
  }
})

test('left while it runs: it goes on, and the time is counted until now', () => {
  const state = at('running')
  const lines = receipt(state, state.createdAt + 62_000)
  assert.equal(lines[0], 'Loop a1b2c3 running: its agent goes on without this program.')
  assert.equal(
    lines.find(line => line.startsWith('  time')),
    '  time        1m 2s',
  )
})

test('a clock that was put back takes no time away', () => {
  const state = at('running')
  const lines = receipt(state, state.createdAt - 3_600_000)
  assert.equal(
    lines.find(line => line.startsWith('  time')),
    `  time        ${(state.lastAt - state.createdAt) / 1_000}.0s`,
  )
})

test('a long path is cut at its beginning', () => {
  const path = `${'directory/'.repeat(400)}cart.js`
  const lines = receipt(at('boundary'), 0, { changes: { added: 1, removed: 0, files: 1 }, paths: [path] })
  const [changes = ''] = lines.filter(line => line.startsWith('  changes'))
  assert.match(changes, /: …[\w/]+\/cart\.js$/)
  assert.ok(changes.length < 200, changes)
})

test('what the whole loop changed, by name as far as there is room, and how to look at it and take it back', () => {
  const whole = after(at('boundary'), ...wholeIteration(1), held())
  const paths = ['a', 'b\n\u001B[2J', 'c', 'd', 'e', 'f', 'g']
  const lines = receipt(whole, 0, { changes: { added: 8, removed: 3, files: 7 }, paths })
  const of = (word: string) => lines.filter(line => line.startsWith(`  ${word}`))
  assert.deepEqual(of('changes'), [
    '  changes     +8 -3 (7 files) since the loop began: a, b\\n\\u{1b}[2J, c, d, e, 2 more',
  ])
  assert.deepEqual(of('next'), [
    '  next        loop resume a1b2c3',
    '  next        loop diff a1b2c3',
    '  next        loop rollback a1b2c3 initial',
  ])
  const none = receipt(whole, 0, { changes: { added: 0, removed: 0, files: 0 }, paths: [] })
  assert.ok(none.includes('  changes     none since the loop began'))
  assert.ok(!none.some(line => line.includes('loop diff')))
})

test('cancelled in the middle of an iteration: the diff is without it, and says so', () => {
  const state = after(at('cleared'), cancelled, { kind: 'loop.cancelled', data: { ship: unready } })
  const lines = receipt(state, 0, { changes: { added: 1, removed: 0, files: 1 }, paths: ['a'] })
  assert.ok(
    lines.includes('  next        loop diff a1b2c3 (without iteration 1, which was cut short)'),
    lines.join('\n'),
  )
})

test('every criterion has its line', () => {
  const criteria = [
    { name: 'tests', command: 'x' },
    { name: 'lint', command: 'y' },
  ]
  const results = criteria.map(criterion => ({ ...criterion, ...pass }))
  const state = after(created({ criteria }), verified(0, ...results), {
    kind: 'loop.completed',
    data: { ship: shipped },
  })
  const lines = printed(state)
  assert.deepEqual(lines.slice(2, 4), ['- tests: ✓', '- lint: ✓'])
  assert.equal(lines.filter(line => line.startsWith('  promise')).length, 2)
})
