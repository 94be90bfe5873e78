/** Given a state, then a decision: every stage with every hold, cancel and limit, and that a loop always ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { commandsPass } from '../../../../src/core/loop/criteria.ts'
import { type Decision, decide, type Step } from '../../../../src/core/loop/decide.ts'
import { hasHookLeft } from '../../../../src/core/loop/parts/hook.ts'
import type { Stage } from '../../../../src/core/loop/parts/work.ts'
import { summarize } from '../../../../src/core/loop/summary.ts'
import type { Event, EventOf } from '../../../../src/model/loop/event.ts'
import {
  after,
  aResult,
  at,
  broken,
  but,
  cancelled,
  created,
  type Given,
  held,
  pass,
  shipped,
  stages,
  survived,
  taken,
  unjudged,
  unready,
  verified,
  wholeIteration,
} from '../../../rig/given.ts'
import { answers } from '../../../rig/world-answers.ts'

const now = 5_000_000
const rest: Decision = { do: 'rest' }
const step = (next: Step): Decision => ({ do: 'step', step: next })
const record = (event: Event): Decision => ({ do: 'record', event })
const hold = (reason: EventOf<'loop.held'>['data']['reason']) => record(held(reason))
const checkpoint = (name: string, since: string | null = null) => step({ kind: 'checkpoint', name, since })
const completed = record({ kind: 'loop.completed', data: { ship: shipped } })

/** The next decision at each stage: undisturbed, with a requested pause, and with a requested cancel. */
const table: Record<Stage, { next: Decision; paused: Decision; cancelled: Decision }> = (() => {
  const gone = record({ kind: 'loop.cancelled', data: { ship: unready } })
  const attach = step({ kind: 'attach' })
  const clear = step({ kind: 'clear' })
  const save = checkpoint('iter-001-after', 'tree-of-iter-001')
  const verify = step({ kind: 'verify', iteration: 1 })
  return {
    baseline: { next: step({ kind: 'verify', iteration: 0 }), paused: rest, cancelled: gone },
    initial: { next: checkpoint('initial'), paused: rest, cancelled: gone },
    boundary: { next: checkpoint('iter-001'), paused: rest, cancelled: gone },
    saved: { next: step({ kind: 'prepare', run: 1, iteration: 1 }), paused: rest, cancelled: gone },
    running: { next: attach, paused: attach, cancelled: step({ kind: 'stop' }) },
    ended: { next: clear, paused: clear, cancelled: clear },
    cleared: { next: save, paused: save, cancelled: gone },
    settled: { next: verify, paused: verify, cancelled: gone },
  }
})()

for (const stage of stages) {
  test(`stage ${stage}: undisturbed, paused, cancelled, broken, with survivors`, () => {
    const state = at(stage)
    const wanted = table[stage]
    assert.deepEqual(decide(state, now), wanted.next)
    assert.deepEqual(decide(after(state, held()), now), wanted.paused)
    assert.deepEqual(decide(after(state, cancelled), now), wanted.cancelled)
    assert.deepEqual(decide(after(state, held(), cancelled), now), wanted.cancelled, 'cancel lifts a pause')
    assert.deepEqual(decide(after(state, broken), now), hold('step-failed'))
    assert.deepEqual(decide(after(state, broken, held('step-failed')), now), rest)
    assert.deepEqual(decide(after(state, broken, cancelled), now), wanted.cancelled, 'cancel tries again')
    assert.deepEqual(decide(after(state, cancelled, broken), now), hold('step-failed'))
    if (!state.work.run) return
    assert.deepEqual(decide(after(state, survived), now), hold('survivors'))
    assert.deepEqual(decide(after(state, survived, held('survivors')), now), rest)
    assert.deepEqual(decide(after(state, survived, cancelled), now), wanted.cancelled)
  })

  test(`stage ${stage}: with an outcome, or an event it does not know, nothing is ever started`, () => {
    const ends: Event[] = [
      { kind: 'loop.completed', data: { ship: shipped } },
      { kind: 'loop.failed', data: { reason: 'iteration-limit', ship: unready } },
      { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } },
      { kind: 'loop.cancelled', data: { ship: unready } },
    ]
    for (const end of ends)
      for (const more of [[], [held()], [cancelled], [broken], [cancelled, held()]])
        assert.deepEqual(decide(after(at(stage), ...more, end), now), rest)
    assert.deepEqual(decide({ ...at(stage), unknown: 'loop.danced' }, now), rest)
  })
}

test('the baseline decides before any agent: PASS completes, ERROR refuses, also under a pause', () => {
  const refused = record({ kind: 'loop.failed', data: { reason: 'promise-unrunnable', ship: unready } })
  for (const extra of [[], [held()]]) {
    assert.deepEqual(decide(after(created(), verified(0, pass), ...extra), now), completed)
    assert.deepEqual(decide(after(created(), verified(0, unjudged), ...extra), now), refused)
  }
  assert.deepEqual(decide(created({ baseline: false }), now), checkpoint('initial'))
  assert.deepEqual(decide(after(created(), verified(0, {}), taken('initial')), now), checkpoint('iter-001'))
})

test('a promise that may never work: a person is asked before the first run, and asked once', () => {
  const doubted = verified(0, { doubt: 'npm knows no script "x"' })
  const asked = after(created({ attended: true }), doubted)
  assert.deepEqual(decide(asked, now), hold('promise-doubtful'))
  const paused = after(asked, held('promise-doubtful'))
  assert.deepEqual(decide(paused, now), rest)
  const { status, detail } = summarize(paused)
  assert.deepEqual([status, detail], ['paused', 'npm knows no script "x"'])
  assert.deepEqual(decide(after(paused, { kind: 'loop.resumed', data: {} }), now), checkpoint('initial'))
  assert.deepEqual(decide(after(created({ attended: false }), doubted), now), checkpoint('initial'))
})

test('between iterations: the promise first, then crash, limit, pause, errors, budget, back-off', () => {
  const crash = record({ kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } })
  const limit = record({ kind: 'loop.failed', data: { reason: 'iteration-limit', ship: unready } })
  const waits = (until: number) => record({ kind: 'wait.started', data: { for: 'agent-back-off', until } })
  const base = after(at('boundary', { maxIterations: 10, budgetUsd: 3 }), ...wholeIteration(1))
  // Changes after the end of the agent come from the promise: the next checkpoint names them.
  const next = (name: string) => checkpoint(name, 'tree-of-iter-001-after')
  const watched = { shape: 'colleague' } as const
  const backOff = { for: 'agent-back-off', since: 0 } as const
  const paused: Given = { turn: { hold: { reason: 'paused-by-user' } } }
  const rows: [string, Given, Decision][] = [
    ['nothing special', {}, next('iter-002')],
    ['all pass', { judged: { results: [aResult(pass)] } }, completed],
    [
      'all pass at every limit',
      { ...worst, judged: { ...worst.judged, results: [aResult(pass)] } },
      completed,
    ],
    [
      'all pass, and a protected file has changed',
      { judged: { results: [aResult(pass)] }, tree: { touched: ['test/a.ts'] } },
      hold('protected-changed'),
    ],
    ['three agent errors', { limits: { agentErrorsInRow: 3, waitedFor: 2 } }, crash],
    ['agent errors and every other limit', worst, crash],
    ['the last iteration', { work: { iteration: 10 } }, limit],
    ['the last one, paused', { work: { iteration: 10 }, ...paused }, limit],
    ['one before the last', { work: { iteration: 9 } }, next('iter-010')],
    ['no limit', { work: { iteration: 999 }, spec: { maxIterations: null } }, next('iter-1000')],
    ['paused', { ...paused, cost: { costUsd: 9 } }, rest],
    ['two promise errors', { judged: { promiseErrorsInRow: 2 } }, next('iter-002')],
    [
      'three promise errors',
      { judged: { promiseErrorsInRow: 3 }, cost: { costUsd: 9 } },
      hold('promise-errors'),
    ],
    ['the same error three times, unwatched', { judged: { sameErrorInRow: 3 } }, next('iter-002')],
    ['the same, watched', { judged: { sameErrorInRow: 3 }, assessed: watched }, hold('same-error')],
    ['budget reached exactly', { cost: { costUsd: 3 } }, hold('budget-reached')],
    ['a cent below', { cost: { costUsd: 2.99 } }, next('iter-002')],
    ['no budget', { cost: { costUsd: 99 }, spec: { budgetUsd: null } }, next('iter-002')],
    ['first agent error', { limits: { agentErrorsInRow: 1 } }, waits(now + 2_000)],
    ['second agent error', { limits: { agentErrorsInRow: 2, waitedFor: 1 } }, waits(now + 4_000)],
    ['waited for it', { limits: { agentErrorsInRow: 2, waitedFor: 2 } }, next('iter-002')],
    ['waiting', { limits: { wait: { ...backOff, until: now + 1 } } }, { do: 'wait', until: now + 1 }],
    [
      'time is up',
      { limits: { wait: { for: 'agent-back-off', until: now, since: 0 } } },
      record({ kind: 'wait.ended', data: {} }),
    ],
    [
      'begun tomorrow: the clock was set back',
      { limits: { wait: { for: 'agent-back-off', until: now + 86_402_000, since: now + 86_400_000 } } },
      record({ kind: 'wait.ended', data: {} }),
    ],
  ]
  for (const [name, given, decision] of rows) assert.deepEqual(decide(but(base, given), now), decision, name)
})

const worst: Given = {
  work: { iteration: 10 },
  limits: { agentErrorsInRow: 3 },
  judged: { promiseErrorsInRow: 3 },
  cost: { costUsd: 99 },
}

test('only a PASS of every criterion, by name and command, completes', () => {
  const criteria = [
    { name: 'a', command: 'x' },
    { name: 'b', command: 'y' },
  ]
  const [a, b] = criteria.map(criterion => aResult({ ...criterion, ...pass }))
  const state = created({ criteria })
  assert.ok(a && b)
  const rows: [boolean, (typeof a)[]][] = [
    [true, [a, b]],
    [false, []],
    [false, [a]],
    [false, [a, a]],
    [true, [b, a]],
    [false, [a, b, b]],
    [false, [a, { ...b, command: 'true' }]],
    [false, [a, { ...b, name: 'c' }]],
    [false, [a, { ...b, verdict: 'FAIL' }]],
    [false, [a, { ...b, verdict: 'ERROR' }]],
  ]
  for (const [met, results] of rows)
    assert.equal(commandsPass(but(state, { judged: { results } })), met, JSON.stringify(results))
})

test('whatever the world answers, a loop never turns without progress and always comes to rest', () => {
  const disturb = fc.constantFrom(null, null, null, null, held(), cancelled)
  const choices = fc.array(fc.tuple(fc.nat(11), disturb), { minLength: 5, maxLength: 60 })
  const spec = fc.record({
    baseline: fc.boolean(),
    maxIterations: fc.integer({ min: 1, max: 4 }),
    budgetUsd: fc.constantFrom(null, 2),
    backoffMs: fc.constantFrom(0, 1_000),
    protect: fc.constantFrom<string[][]>([], ['test/**']),
    holdout: fc.constantFrom(undefined, 'a'),
    hooks: fc.constantFrom({ timeoutMs: 1 }, { complete: 'a', failure: 'b', timeoutMs: 1 }),
  })
  fc.assert(
    fc.property(spec, choices, (given, picks) => {
      let state = created(given)
      let clock = now
      for (let turn = 0; ; turn += 1) {
        assert.ok(turn < 80, 'an iteration takes fewer than a dozen decisions')
        const [pick, disturbance] = picks[turn % picks.length] ?? [0, null]
        if (disturbance && turn < picks.length && !state.turn.outcome) state = after(state, disturbance)
        const decision = decide(state, clock)
        if (decision.do === 'rest') break
        if (decision.do === 'wait') {
          assert.ok(decision.until > clock, 'a wait is for a moment to come')
          clock = decision.until
          continue
        }
        const events = decision.do === 'record' ? [decision.event] : answers(decision.step, state)
        const next = after(state, events[pick % events.length] as Event)
        assert.notDeepEqual({ ...next, seq: 0, lastAt: 0 }, { ...state, seq: 0, lastAt: 0 }, 'no progress')
        state = next
      }
      assert.ok(state.turn.outcome || state.turn.hold, 'at rest there is a reason')
      assert.ok(state.work.iteration <= given.maxIterations)
      assert.equal(hasHookLeft(state), false, 'no hook is left over')
    }),
    { numRuns: 500 },
  )
})
