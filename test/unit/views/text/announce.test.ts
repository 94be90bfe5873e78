/** The whole lines that a loop prints while it runs, for each kind of event. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creation } from '../../../../src/core/loop/assess/assess.ts'
import type { State } from '../../../../src/core/loop/state.ts'
import type { Event } from '../../../../src/model/loop/event.ts'
import { announce } from '../../../../src/views/text/announce.ts'
import { ends } from '../../../rig/event-samples.ts'
import {
  after,
  aSpec,
  at,
  broken,
  cancelled,
  cleared,
  created,
  ended,
  held,
  lost,
  noBytes,
  pass,
  recorded,
  started,
  survived,
  taken,
  unjudged,
  verified,
  wholeIteration,
} from '../../../rig/given.ts'

/** The lines for an event that comes after a state. */
function said(state: State, event: Event): string[] {
  const now = after(state, event)
  return announce(recorded(event, { seq: now.seq, at: now.lastAt }), now, state)
}

function saidAtStart(given: Parameters<typeof created>[0]): string[] {
  return announce(recorded(creation(aSpec(given))), created(given), null)
}

test('loop.created: what will run, then the announcement', () => {
  assert.deepEqual(saidAtStart({}), [
    'loop a1b2c3',
    '  directory   /tree',
    '  agent       custom: my-agent --yes',
    '  promise     npm test',
    '  judged by   tests, settings and tools of JavaScript: if these change, loop looks again',
    '  limits      10 iterations, $25 budget, agent 1m 30s, promise 45s',
    '  checkpoint  git',
    '  state       .loop/state.json, kept at the end',
    '[LOOP] Starting | Shape: Tool | Workflow: A | Steps: 1 | Budget: $25',
  ])
  const free = saidAtStart({
    prompt: 'fix it',
    maxIterations: null,
    budgetUsd: null,
    checkpoint: 'none',
    criteria: [
      { name: 'a', command: 'x' },
      { name: 'b', command: 'y' },
    ],
  })
  assert.deepEqual(free.slice(3), [
    '  promise     a: x',
    '  promise     b: y',
    '  limits      no limit of iterations, no budget, agent 1m 30s, promise 45s',
    '  checkpoint  none: nothing can be rolled back',
    '  state       .loop/state.json, kept at the end',
    '[LOOP] Starting | Shape: Tool | Workflow: B | Steps: 2 | Budget: none',
  ])
  const allowed = saidAtStart({ allow: ['test/**'] })
  assert.equal(allowed[5], '  may change  test/** (--allow)')
  const one = saidAtStart({ maxIterations: 1, budgetUsd: 2.5 })
  assert.equal(one[5], '  limits      1 iteration, $2.50 budget, agent 1m 30s, promise 45s')
})

test('promise.verified: the baseline, a failure, a success and a step on the way', () => {
  assert.deepEqual(said(created(), verified(0, {})), ['  baseline npm test: FAIL (exit 1, 0.4s)'])
  assert.deepEqual(said(created(), verified(0, pass)), ['  baseline npm test: PASS (exit 0, 0.4s)'])
  assert.deepEqual(said(at('settled'), verified(1, { failing: 3 })), [
    '  promise npm test: FAIL (exit 1, 3 failing, 0.4s)',
  ])
  assert.deepEqual(said(at('settled'), verified(1, unjudged)), [
    '  promise npm test: ERROR (exit 127: command not found, 0.4s)',
  ])
  assert.deepEqual(said(at('settled'), verified(1, pass)), [
    '  promise npm test: PASS (exit 0, 0.4s)',
    '[LOOP] ✓ npm test complete | Progress: 1/1 | Next: none',
  ])
  const criteria = [
    { name: 'a', command: 'x' },
    { name: 'b', command: 'y' },
  ]
  assert.deepEqual(
    said(
      at('settled', { criteria }),
      verified(1, { name: 'a', command: 'x', ...pass }, { name: 'b', command: 'y' }),
    ),
    [
      '  promise a (x): PASS (exit 0, 0.4s)',
      '  promise b (y): FAIL (exit 1, 0.4s)',
      '[LOOP] ✓ a complete | Progress: 1/2 | Next: b',
    ],
  )
})

test('a criterion is announced when it comes to be met, and not again while it stays so', () => {
  const criteria = [
    { name: 'a', command: 'x' },
    { name: 'b', command: 'y' },
    { name: 'safe', command: null },
  ]
  const [a, b] = [
    { name: 'a', command: 'x' },
    { name: 'b', command: 'y' },
  ]
  const first = after(at('settled', { criteria }), verified(1, { ...a, ...pass }, b))
  const marks = (state: State, event: Event) => said(state, event).filter(line => line.startsWith('[LOOP] ✓'))
  const both = verified(2, { ...a, ...pass }, { ...b, ...pass })
  assert.deepEqual(marks(first, both), ['[LOOP] ✓ b complete | Progress: 2/3 | Next: safe'])
  const unmet = after(first, verified(2, a, b))
  assert.deepEqual(marks(unmet, verified(3, { ...a, ...pass }, b)), [
    '[LOOP] ✓ a complete | Progress: 1/3 | Next: b',
  ])
  const answer = { criterion: 'safe', met: true, by: 'ann', text: '' }
  assert.deepEqual(marks(after(first, both), { kind: 'question.answered', data: answer }), [
    '[LOOP] ✓ safe complete | Progress: 3/3 | Next: none',
  ])
})

test('checkpoint.taken', () => {
  const rows: [Event, string][] = [
    [taken('iter-001'), '  checkpoint iter-001 (12ms)'],
    [
      taken('iter-001-after', { changes: { added: 8, removed: 3, files: 1 } }),
      '  checkpoint iter-001-after (12ms, +8 -3 (1 file))',
    ],
    [
      taken('iter-001-after', { skipped: ['a.fifo', 'b.sock'], changes: { added: 0, removed: 0, files: 2 } }),
      '  checkpoint iter-001-after (12ms, +0 -0 (2 files), cannot save: a.fifo, b.sock)',
    ],
    [taken('iter-001', { tree: null }), '  checkpoint iter-001: not saved (--checkpoint none)'],
  ]
  for (const [event, line] of rows) assert.deepEqual(said(at('boundary'), event), [line])
})

test('checkpoint.taken after the agent has ended: what changed was changed by the promise', () => {
  const state = after(at('boundary', { protect: ['test/**'] }), ...wholeIteration(1).slice(0, -1))
  const paths = ['a', 'b', 'c', 'd', 'e', 'f']
  const look = taken('iter-001-verified', { changes: { added: 9, removed: 0, files: 30 }, paths })
  assert.deepEqual(said(state, look), [
    '  checkpoint iter-001-verified (12ms, the promise changed +9 -0 (30 files): a, b, c, d, e, 25 more)',
  ])
  const nothing = { changes: { added: 0, removed: 0, files: 0 } }
  const next = after(at('boundary'), ...wholeIteration(1))
  assert.deepEqual(said(next, taken('iter-002', nothing)), ['  checkpoint iter-002 (12ms)'])
})

test('run.started: iteration, cost and step', () => {
  const line = (state: State, run: number) => said(state, started(run)).join('\n')
  assert.equal(line(at('saved'), 1), '[LOOP] Iteration 1/10 | Cost: $0/$25 | Step: npm test')
  const free = at('saved', { maxIterations: null, budgetUsd: null })
  assert.equal(line(free, 1), '[LOOP] Iteration 1/∞ | Cost: $0/none | Step: npm test')
  const member = at('saved', { budgetUsd: null, group: 'a1b2c3' })
  assert.equal(line(member, 1), '[LOOP] Iteration 1/10 | Cost: $0/shared | Step: npm test')
  const second = (costUsd: number | null) =>
    after(at('boundary'), ...wholeIteration(1, {}, ended(1, { costUsd })), taken('iter-002'))
  assert.equal(line(second(1.5), 2), '[LOOP] Iteration 2/10 | Cost: $1.50/$25 | Step: npm test')
  assert.equal(line(second(null), 2), '[LOOP] Iteration 2/10 | Cost: unknown/$25 | Step: npm test')
  const cut = ended(1, { how: 'timeout', costUsd: 0.9, costIncomplete: true })
  const unsure = after(at('boundary'), ...wholeIteration(1, {}, cut), taken('iter-002'))
  assert.equal(line(unsure, 2), '[LOOP] Iteration 2/10 | Cost: at least $0.90/$25 | Step: npm test')
  const criteria = [
    { name: 'a', command: 'x' },
    { name: 'b', command: 'y' },
  ]
  const half = after(
    at('saved', { criteria }),
    verified(0, { name: 'a', command: 'x', ...pass }, { name: 'b', command: 'y' }),
  )
  assert.match(line(half, 1), /Step: b$/)
})

test('context.injected: whose words the agent is told', () => {
  const line = (by?: 'agent' | 'loop' | 'panel') =>
    said(at('saved'), { kind: 'context.injected', data: { text: 'x', ...(by && { by }) } }).join()
  const words = '  the agent will be told in the next iteration'
  assert.deepEqual(
    [line(), line('agent'), line('loop'), line('panel')],
    ['what you said', 'what an agent said', 'why this is done again', 'what the panel recommends'].map(
      what => `${words} ${what}`,
    ),
  )
})

test('a question to a model: who is asked, and what is wrong with an answer; what goes well is no news', () => {
  const criteria = [{ name: 'shape', command: null, answer: { schema: 'shape' as const } }]
  const asked = at('saved', { criteria, maxIterations: 3 })
  assert.deepEqual(said(asked, started(1)), ['  asks custom'])
  const answered = after(asked, started(1), ended(1))
  const result = { name: 'shape', command: 'answer: shape' }
  assert.deepEqual(said(answered, verified(1, { ...result, ...pass })), [])
  const refused = verified(1, { ...result, why: 'criteria: missing' })
  assert.deepEqual(said(answered, refused), [
    '  promise shape (answer: shape): FAIL (criteria: missing, 0.4s)',
  ])
  assert.deepEqual(said(after(answered, cleared(1), refused, taken('iter-002')), started(2)), [
    '  asks custom again (2/3)',
  ])
})

test('run.lost: why', () => {
  assert.deepEqual(said(at('running'), lost(1, 'the machine was restarted')), [
    '  agent lost: the machine was restarted',
  ])
})

test('what an agent printed is shown without its escapes, and a name with all its characters spelled out', () => {
  const err = { ...noBytes, tail: 'x\u001B]0;owned\u0007: not \u001B[2Jfound\n' }
  const lines = said(at('running'), ended(1, { how: 'unstartable', exitCode: 127, err }))
  assert.deepEqual(lines, ['  agent could not start (exit 127): x: not found'])
  assert.deepEqual(said(at('boundary'), taken('initial', { skipped: ['a\u001B[2Jb'] })), [
    '  checkpoint initial (12ms, cannot save: a\\u{1b}[2Jb)',
  ])
  const suspects = [{ pid: 7, command: 'no\u001Bcde' }]
  assert.deepEqual(said(at('ended'), cleared(1, { suspects })), [
    '  left alone, may be of the agent: 7 (no\\u{1b}cde)',
  ])
})

test('run.cleared: what was left behind', () => {
  const suspects = [{ pid: 7, command: 'node' }]
  assert.deepEqual(said(at('ended'), cleared(1)), [])
  assert.deepEqual(said(at('ended'), cleared(1, { killed: null })), [])
  assert.deepEqual(said(at('ended'), cleared(1, { killed: 1 })), [
    '  killed 1 process the agent had left behind',
  ])
  assert.deepEqual(said(at('ended'), cleared(1, { killed: 2, suspects })), [
    '  killed 2 processes the agent had left behind',
    '  left alone, may be of the agent: 7 (node)',
  ])
})

test('waits, pauses and what a person asked for', () => {
  const failed = after(at('boundary'), ...wholeIteration(1, {}, ended(1, { how: 'timeout', exitCode: 143 })))
  const until = failed.lastAt + 1_000 + 4_000
  const pausing = '[LOOP] Pausing after this iteration (Ctrl-C again within 10 s, or x, cancels now)'
  const rows: [State, Event, string[]][] = [
    [
      failed,
      { kind: 'wait.started', data: { for: 'agent-back-off', until } },
      ['  the agent failed (timed out after 1m 30s, and nothing got better); next try in 4.0s'],
    ],
    [failed, { kind: 'wait.ended', data: {} }, []],
    [at('boundary'), held(), ['[LOOP] ⏸ Paused: paused by you']],
    [at('running'), held(), [pausing]],
    [after(at('running'), broken), held('step-failed'), ['[LOOP] ⏸ Paused: checkpoint iter-001: disk full']],
    [
      after(at('ended'), survived),
      held('survivors'),
      ['[LOOP] ⏸ Paused: processes of the agent cannot be killed: 7 (sleep)'],
    ],
    [after(failed, held()), { kind: 'loop.resumed', data: {} }, ['[LOOP] Resumed | Iteration: 1']],
    [
      after(failed, held()),
      {
        kind: 'loop.resumed',
        data: { timeoutMs: 900_000, agent: { agent: 'claude', agentCmd: '/bin/claude', model: 'opus' } },
      },
      ['[LOOP] Resumed | Iteration: 1 | Agent: claude (opus) | Timeout: 15m'],
    ],
    [at('running'), cancelled, ['[LOOP] Cancelling']],
    [
      at('running'),
      { kind: 'command.refused', data: { command: 'pause', why: 'it is already paused' } },
      ['  cannot pause: it is already paused'],
    ],
    [
      at('running'),
      {
        kind: 'command.refused',
        data: { command: 'pause', facts: { kind: 'has-ended', outcome: 'failed' }, why: 'in older words' },
      },
      ['  cannot pause: it has already ended: failed'],
    ],
  ]
  for (const [state, event, lines] of rows) assert.deepEqual(said(state, event), lines, event.kind)
})

test('an end is said by the receipt, a failed step and survivors by the pause that follows', () => {
  const silent = [...ends, broken, survived]
  for (const event of silent) assert.deepEqual(said(at('running'), event), [], event.kind)
})
