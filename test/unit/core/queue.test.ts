/** The order of the queue, the state of a queued loop, and when a crashed loop is started again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attentionOf } from '../../../src/core/attention.ts'
import { admit } from '../../../src/core/loop/admit.ts'
import { decide } from '../../../src/core/loop/decide.ts'
import { evolve } from '../../../src/core/loop/evolve.ts'
import type { State } from '../../../src/core/loop/state.ts'
import { summarize } from '../../../src/core/loop/summary.ts'
import {
  inOrder,
  keepsSlot,
  mostRestarts,
  restartMs,
  restartOf,
  untilRestart,
  wantsHost,
} from '../../../src/core/queue.ts'
import type { Summary } from '../../../src/core/summary.ts'
import type { Event } from '../../../src/model/loop/event.ts'
import type { Priority } from '../../../src/model/loop/spec.ts'
import { nextSteps, reasonWords } from '../../../src/views/words/message.ts'
import {
  after,
  cancelled,
  cleared,
  created,
  ended,
  held,
  noBytes,
  recorded,
  started,
  taken,
  unready,
  verified,
} from '../../rig/given.ts'

const queued: Event = { kind: 'loop.queued', data: { priority: 'normal' } }
const dequeued: Event = { kind: 'loop.dequeued', data: {} }
const crashed: Event = { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } }
const restarted: Event = { kind: 'loop.queued', data: { priority: 'low', restart: true } }

const hour = 3_600_000

function waiting(id: string, queuedAt: number, background: Priority = 'normal'): Summary {
  return { ...summarize(after(created(), queued)), id, queuedAt, background, createdAt: queuedAt }
}

test('first come, first served; a priority is an hour more or less', () => {
  const rows = [
    waiting('later', 2),
    waiting('first', 1),
    waiting('urgent', 3, 'high'),
    waiting('any', 0, 'low'),
    waiting('old', -1.5 * hour, 'low'),
    waiting('same', 1),
  ]
  assert.deepEqual(
    inOrder(rows).map(({ id }) => id),
    ['urgent', 'old', 'first', 'same', 'later', 'any'],
  )
})

test('no wait keeps a slot, and its end alone does not give one back', () => {
  const asks: Event = { kind: 'question.asked', data: { criterion: 'red or blue?', agent: true } }
  const answer = { criterion: 'red or blue?', met: false, by: 'you', text: 'red', agent: true as const }
  const wait = (kind: 'usage-limit' | 'agent-back-off'): Event => ({
    kind: 'wait.started',
    data: { for: kind, until: 9 },
  })
  const over: Event = { kind: 'wait.ended', data: {} }
  const answered: Event = { kind: 'question.answered', data: answer }
  const running = after(created(), queued, dequeued)
  const rows: [State, boolean, boolean][] = [
    [running, true, true],
    [after(running, wait('usage-limit')), true, false],
    [after(running, wait('agent-back-off')), true, false],
    [after(running, asks), true, false],
    [after(running, wait('usage-limit'), over), false, false],
    [after(running, asks, answered), false, false],
  ]
  for (const [state, had, keeps] of rows) assert.equal(keepsSlot(summarize(state), had), keeps)
})

test('a loop whose wait is over has its turn by its age, among those that are queued', () => {
  const woken = { ...waiting('woken', 2), status: 'waiting' as const, queuedAt: null, createdAt: 2 }
  const rows = [waiting('later', 3), waiting('urgent', 3, 'high'), waiting('first', 1)]
  assert.deepEqual(
    inOrder(rows, [woken]).map(({ id }) => id),
    ['urgent', 'first', 'woken', 'later'],
  )
})

test('only what is queued has a turn', () => {
  const states = [
    after(created(), queued, dequeued),
    after(created(), queued, held('paused-by-user')),
    created(),
  ]
  assert.deepEqual(inOrder(states.map(summarize)), [])
})

test('a queued loop does nothing, holds no tree, and can be paused, told something and cancelled', () => {
  const state = after(created(), queued)
  const { status, holdsTree, background } = summarize(state)
  assert.deepEqual(
    { status, holdsTree, background },
    { status: 'queued', holdsTree: false, background: 'normal' },
  )
  assert.deepEqual(decide(state, 0), { do: 'rest' })
  assert.equal(admit(state, { kind: 'inject', text: 'x' }).ok, true)
  assert.equal(summarize(after(state, held('paused-by-user'))).status, 'paused')
  assert.deepEqual(decide(after(state, cancelled), 0), {
    do: 'record',
    event: { kind: 'loop.cancelled', data: { ship: unready } },
  })
})

test('once its turn has come it is driven, and loopd takes it up wherever it was left', () => {
  const state = after(created(), queued, dequeued)
  assert.equal(summarize(state).holdsTree, true)
  assert.equal(wantsHost(summarize(state)), true)
  assert.equal(decide(state, 0).do, 'step')
})

test('one of the foreground, a paused one and one that has ended are not taken up', () => {
  const background = after(created(), queued, dequeued)
  const paused = after(background, held('paused-by-user'))
  for (const state of [created(), paused, after(background, crashed), after(created(), queued)]) {
    assert.equal(wantsHost(summarize(state)), false)
  }
})

test('a resume in the foreground takes the loop; queued again it belongs to the background', () => {
  const paused = after(created(), queued, dequeued, held('paused-by-user'))
  const resumed = after(paused, { kind: 'loop.resumed', data: {} })
  assert.equal(wantsHost(summarize(resumed)), false)
  assert.equal(summarize(after(resumed, queued)).status, 'queued')
})

test('a crashed loop of the background is started again three times, later each time', () => {
  let state = after(created(), queued, dequeued, crashed)
  for (let n = 0; n < mostRestarts; n += 1) {
    const at = summarize(state).endedAt ?? 0
    assert.equal(untilRestart(summarize(state), 1_000, at), 1_000 * 2 ** n)
    assert.equal(untilRestart(summarize(state), 1_000, at + 999 * 2 ** n), 2 ** n)
    assert.equal(untilRestart(summarize(state), 1_000, at + hour), 0)
    assert.equal(untilRestart(summarize(state), 1_000, at - hour), 0, 'a clock that was set back')
    state = after(state, restarted)
    assert.equal(summarize(state).status, 'queued')
    assert.equal(state.limits.agentErrorsInRow, 0)
    state = after(state, dequeued, crashed)
  }
  assert.equal(untilRestart(summarize(state), 1_000, Number.MAX_SAFE_INTEGER), null)
  const again = after(state, { kind: 'loop.resumed', data: {} }, queued, dequeued, crashed)
  assert.notEqual(untilRestart(summarize(again), 1_000, 0), null, 'a person has asked for it anew')
})

test('a loop of the foreground, or one that failed otherwise, is not', () => {
  assert.equal(untilRestart(summarize(after(created(), crashed)), 1, hour), null)
  const stuck: Event = { kind: 'loop.failed', data: { reason: 'stuck', ship: unready } }
  assert.equal(untilRestart(summarize(after(created(), queued, dequeued, stuck)), 1, hour), null)
})

const boom = { exitCode: 7, err: { ...noBytes, tail: 'model gpt-9 not found' } }

/** One iteration whose agent changes nothing, `ms` after its start. */
function fails(state: State, n: number, { ms = 1_000, ...end }: Failing = boom): State {
  const begun = after(state, started(n))
  const over = evolve(begun, recorded(ended(n, end), { seq: begun.seq + 1, at: begun.lastAt + ms }))
  const left = taken(`iter-00${n}-after`, { changes: { added: 0, removed: 0, files: 0 } })
  return after(over, cleared(n), left, verified(n, {}))
}

type Failing = Parameters<typeof ended>[1] & { ms?: number }

const thrice = (...ends: Failing[]) =>
  ends.reduce(
    (state, end, i) => fails(after(state, taken(`iter-00${i + 1}`)), i + 1, end),
    after(created(), queued, dequeued, verified(0, {}), taken('initial')),
  )

test('an agent that fails at once, each time in the same way, is not tried again', () => {
  const other = { exitCode: 7, err: { ...noBytes, tail: 'no route to host' } }
  const rows: [string, State, boolean][] = [
    ['the same error', thrice(boom, boom, boom), false],
    [
      'another request id',
      thrice(boom, boom, { ...boom, err: { ...noBytes, tail: 'model gpt-8 not found' } }),
      false,
    ],
    ['timeouts of seconds', thrice({ how: 'timeout' }, { how: 'timeout' }, { how: 'timeout' }), false],
    ['other errors', thrice(boom, other, boom), true],
    ['one that took its time', thrice(boom, boom, { ...boom, ms: 10_000 }), true],
    ['the first took its time', thrice({ ...boom, ms: 60_000 }, boom, boom), true],
  ]
  for (const [what, state, isRetried] of rows) {
    assert.equal(state.limits.agentErrorsInRow, 3, what)
    assert.equal(restartOf(summarize(after(state, crashed))) !== null, isRetried, what)
  }
  const given = after(thrice(boom, boom, boom), crashed)
  assert.equal(attentionOf(summarize(given), false, given.lastAt), 'crashed')
})

test('a crash that is tried again says when and how often, needs nobody, and can be cancelled', () => {
  const state = after(created(), queued, dequeued, crashed)
  const summary = summarize(state)
  const at = (summary.endedAt ?? 0) + restartMs
  assert.deepEqual(restartOf(summary), { n: 1, of: mostRestarts, at })
  assert.match(reasonWords(summary, at - 48_000), /; retry 1 of 3 in 48s$/)
  assert.equal(attentionOf(summary, false, at), null)
  assert.equal(attentionOf(summary, true, at), 'orphaned', 'without loopd nobody tries it again')
  assert.ok(nextSteps(summary).includes('To stop the retries: loop cancel a1b2c3'))
  const cancel = admit(state, { kind: 'cancel' })
  assert.ok(cancel.ok)
  const over = summarize(after(state, ...cancel.events))
  assert.deepEqual([over.status, restartOf(over)], ['cancelled', null])
  const givenUp = after(
    state,
    restarted,
    dequeued,
    crashed,
    restarted,
    dequeued,
    crashed,
    restarted,
    dequeued,
    crashed,
  )
  assert.equal(attentionOf(summarize(givenUp), false, givenUp.lastAt), 'crashed')
  assert.equal(admit(givenUp, { kind: 'cancel' }).ok, false)
})
