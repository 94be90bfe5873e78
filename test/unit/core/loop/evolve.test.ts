/** The fold: the effect of each event on the state, that any event may follow any other, and unknown events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { creation } from '../../../../src/core/loop/assess/assess.ts'
import { decide } from '../../../../src/core/loop/decide.ts'
import { begin, evolve, fold } from '../../../../src/core/loop/evolve.ts'
import { namesOf, treeOf } from '../../../../src/core/loop/parts/tree.ts'
import type { State } from '../../../../src/core/loop/state.ts'
import { summarize } from '../../../../src/core/loop/summary.ts'
import { type Event, event, type Recorded } from '../../../../src/model/loop/event.ts'
import { eventVersion } from '../../../../src/model/version.ts'
import { announce } from '../../../../src/views/text/announce.ts'
import { receipt } from '../../../../src/views/text/receipt.ts'
import { samples } from '../../../rig/event-samples.ts'
import {
  after,
  aSpec,
  at,
  broken,
  cancelled,
  created,
  createdAt,
  ended,
  held,
  lost,
  recorded,
  stages,
  started,
  survived,
  unjudged,
  unready,
  verified,
  wholeIteration,
} from '../../../rig/given.ts'

test('the samples hold every kind of event, and each is one', () => {
  const kinds = event.options.map(option => option.shape.kind.value)
  assert.deepEqual(new Set(samples.map(({ kind }) => kind)), new Set(kinds))
  for (const sample of samples) assert.deepEqual(event.parse(sample), sample)
})

test('any event after any state gives a state that can be shown and decided on', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...samples), { maxLength: 12 }), events => {
      let state = created({ hooks: { complete: 'a', failure: 'b', timeoutMs: 1 } })
      for (const next of events) {
        const before = structuredClone(state)
        const grown = recorded(next, { seq: state.seq + 1, at: state.lastAt + 7 })
        const now = evolve(state, grown)
        assert.deepEqual(state, before, 'the state before is left as it was')
        assert.equal(now.seq, grown.seq)
        assert.equal(now.lastAt, grown.at)
        assert.equal(now.unknown, null)
        assert.ok(stages.includes(now.work.stage))
        assert.equal(summarize(now).id, state.id)
        assert.ok(announce(grown, now, state).every(line => !line.includes('undefined')))
        assert.ok(receipt(now, 0).length > 0)
        assert.equal(typeof decide(now, 0).do, 'string')
        state = now
      }
    }),
    { numRuns: 1_000 },
  )
})

test('a newer version or an unknown kind is remembered, and the loop is not driven any more', () => {
  for (const stage of stages) {
    const newer = evolve(at(stage), recorded(cancelled, { v: eventVersion + 1 }))
    assert.equal(newer.unknown, `version ${eventVersion + 1}`)
    assert.equal(newer.turn.cancelRequested, false, 'what it means is not known')
    const danced = { kind: 'loop.danced', data: {} } as unknown as Event
    const strange = evolve(at(stage), recorded(danced))
    assert.equal(strange.unknown, 'loop.danced')
    for (const state of [newer, strange]) {
      assert.deepEqual(decide(state, 0), { do: 'rest' })
      assert.deepEqual(decide(after(state, { kind: 'loop.resumed', data: {} }), 0), { do: 'rest' })
    }
  }
  const first = recorded(creation(aSpec()), { v: eventVersion + 1 })
  assert.deepEqual(decide(begin(first), 0), { do: 'rest' })
})

test('a journal begins with loop.created', () => {
  assert.throws(() => fold([]), /Internal error: an empty journal/)
  assert.throws(() => fold([recorded(cancelled)]), /Internal error: a journal begins with cancel.requested/)
})

test('folding is the same as evolving one by one', () => {
  const events: Recorded[] = samples.map((sample, i) => recorded(sample, { seq: i + 1, at: createdAt + i }))
  const [first, ...rest] = events
  assert.ok(first)
  assert.deepEqual(fold(events), rest.reduce(evolve, begin(first)))
})

test('an iteration is counted when its checkpoint is taken, a run when it is started', () => {
  const state = after(at('boundary'), ...wholeIteration(1), ...wholeIteration(2))
  assert.equal(state.work.iteration, 2)
  assert.equal(state.work.runs, 2)
  assert.deepEqual(namesOf(state.tree.checkpoints), [
    'initial',
    'iter-001',
    'iter-001-after',
    'iter-002',
    'iter-002-after',
  ])
  assert.equal(at('boundary').work.iteration, 0)
  assert.equal(at('saved').work.iteration, 1)
})

test('a checkpoint more is added to those before, and nothing is copied; the newest of a name counts', () => {
  const before = at('boundary')
  const saved = after(before, ...wholeIteration(1), ...wholeIteration(1))
  assert.equal(saved.tree.checkpoints?.earlier?.earlier?.earlier?.earlier, before.tree.checkpoints)
  assert.deepEqual(namesOf(saved.tree.checkpoints), ['initial', 'iter-001', 'iter-001-after'])
  const again = { name: 'iter-001', tree: 'other', earlier: saved.tree.checkpoints }
  assert.equal(treeOf(again, 'iter-001'), 'other')
  assert.equal(treeOf(again, 'iter-009'), undefined)
})

test('cost is unknown until an agent says one, then it adds up', () => {
  const costs = (...usd: (number | null)[]) =>
    usd.reduce<State>((state, costUsd, i) => after(state, ended(i + 1, { costUsd })), at('running')).cost
      .costUsd
  assert.equal(costs(null), null)
  assert.equal(costs(0), 0)
  assert.equal(costs(1.5, null, 2), 3.5)
})

test('consecutive errors are counted, and a success resets the count', () => {
  const bad = (['killed', 'unstartable', 'flooded'] as const).map(how => ended(1, { how }))
  const row = after(at('running'), ...bad, lost(1))
  assert.equal(row.limits.agentErrorsInRow, 4)
  assert.equal(after(row, ended(1)).limits.agentErrorsInRow, 0)
  assert.equal(after(row, ended(1, { how: 'stopped' })).limits.agentErrorsInRow, 0)
  const promise = after(at('settled'), verified(1, unjudged), verified(2, unjudged))
  assert.equal(promise.judged.promiseErrorsInRow, 2)
  assert.equal(after(promise, verified(3, {})).judged.promiseErrorsInRow, 0)
})

test('resumed: rows, hold and end are forgotten, a limit not mentioned stays as it was', () => {
  const row = after(at('running'), lost(1), lost(1), lost(1), broken, survived)
  const state = after(row, { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } })
  const again = after(state, { kind: 'loop.resumed', data: { budgetUsd: null } })
  assert.deepEqual(
    [
      again.turn.outcome,
      again.turn.hold,
      again.turn.failedStep,
      again.limits.agentErrorsInRow,
      again.work.run?.survivors,
    ],
    [null, null, null, 0, []],
  )
  assert.deepEqual([again.spec.maxIterations, again.spec.budgetUsd], [10, null])
  assert.equal(again.work.stage, 'ended', 'it goes on where it was')
})

test('resumed with other limits and another agent: nothing is kept of what was said of the agent before', () => {
  const state = after(
    at('saved', {
      agent: 'codex',
      agentCmd: '/bin/codex',
      model: 'gpt',
      price: { input: 1, output: 2, cached: 0 },
    }),
    held(),
    {
      kind: 'loop.resumed',
      data: {
        timeoutMs: 900_000,
        idleTimeoutMs: 60_000,
        verifyTimeoutMs: 1_000,
        maxWaitMs: 5,
        agent: {
          agent: 'claude',
          agentCmd: '/bin/claude',
          fallbacks: [{ agent: 'codex', agentCmd: '/bin/codex' }],
        },
      },
    },
  )
  const { timeoutMs, idleTimeoutMs, verifyTimeoutMs, maxWaitMs } = state.spec
  assert.deepEqual([timeoutMs, idleTimeoutMs, verifyTimeoutMs, maxWaitMs], [900_000, 60_000, 1_000, 5])
  const { agent, agentCmd, model, price, fallbacks } = state.spec
  assert.deepEqual([agent, agentCmd, model, price], ['claude', '/bin/claude', undefined, undefined])
  assert.deepEqual(fallbacks, [{ agent: 'codex', agentCmd: '/bin/codex' }])
  assert.equal(state.work.agent, 'claude', 'it runs next')
  const same = after(state, held(), { kind: 'loop.resumed', data: {} })
  assert.deepEqual([same.spec, same.work.agent], [state.spec, 'claude'])
})

test('resumed after three promise errors: the next one is the first again', () => {
  const errors = [1, 2, 3].map(n => verified(n, unjudged))
  const state = after(at('settled'), ...errors, held('promise-errors'))
  assert.equal(after(state, { kind: 'loop.resumed', data: {} }).judged.promiseErrorsInRow, 0)
})

test('resumed after a baseline that could not be judged: the promise is run again', () => {
  const refused = after(created(), verified(0, unjudged), {
    kind: 'loop.failed',
    data: { reason: 'promise-unrunnable', ship: unready },
  })
  assert.equal(after(refused, { kind: 'loop.resumed', data: {} }).work.stage, 'baseline')
})

test('a pause keeps the wait, an end does not', () => {
  const wait = { for: 'agent-back-off', until: 9 } as const
  const waiting = after(at('boundary'), { kind: 'wait.started', data: wait })
  const since = waiting.lastAt
  assert.deepEqual(after(waiting, held()).limits.wait, { ...wait, since })
  assert.deepEqual(after(waiting, held(), { kind: 'loop.resumed', data: {} }).limits.wait, { ...wait, since })
  assert.equal(
    after(waiting, cancelled, { kind: 'loop.cancelled', data: { ship: unready } }).limits.wait,
    null,
  )
})

test('a text that came while the prompt was being written waits for the next one', () => {
  const told = (text: string): Event => ({ kind: 'context.injected', data: { text } })
  const begun = started(1)
  assert.ok(begun.kind === 'run.started')
  const withOne: Event = { ...begun, data: { ...begun.data, injected: 1 } }
  const state = [told('in time'), told('late'), withOne].reduce(
    (now, next) => evolve(now, recorded(next)),
    at('saved'),
  )
  assert.deepEqual(state.human.injected, ['late'])
})
