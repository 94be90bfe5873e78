/** Usage limits and invalid keys: when the same iteration runs again, by which agent, and when not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, decide } from '../../../../src/core/loop/decide.ts'
import { evolve } from '../../../../src/core/loop/evolve.ts'
import type { State } from '../../../../src/core/loop/state.ts'
import { summarize } from '../../../../src/core/loop/summary.ts'
import type { LimitKind } from '../../../../src/model/agent.ts'
import type { Event } from '../../../../src/model/loop/event.ts'
import type { Spec } from '../../../../src/model/loop/spec.ts'
import { nextSteps, reasonWords } from '../../../../src/views/words/message.ts'
import {
  after,
  at,
  but,
  cancelled,
  cleared,
  ended,
  held,
  recorded,
  started,
  unready,
} from '../../../rig/given.ts'

const minute = 60_000
const limit = (run: number, until: number | null = null): Event =>
  ended(run, { exitCode: 1, costUsd: 0.5, limit: { until, why: 'usage limit reached' } })
const wait = (until: number): Decision => ({
  do: 'record',
  event: { kind: 'wait.started', data: { for: 'usage-limit', until } },
})
const hold = (reason: 'agent-auth' | 'limit-too-long' | 'budget-reached'): Decision => ({
  do: 'record',
  event: { kind: 'loop.held', data: { reason } },
})
const prepare = (run: number): Decision => ({ do: 'step', step: { kind: 'prepare', run, iteration: 1 } })

/** A loop whose runs so far, all of iteration 1, met a limit. */
function limitedTimes(times: number, until: number | null, given: Partial<Spec> = {}): State {
  let state = at('saved', given)
  for (let run = 1; run <= times; run += 1) {
    state = after(state, started(run, 1), limit(run, until), cleared(run))
  }
  return state
}

/** The end of the last run. */
const endOf = (state: State) => state.lastAt - 1_000

test('a run that met a limit is no iteration: nothing is verified, the same one is run again', () => {
  const state = limitedTimes(1, null)
  assert.equal(state.work.stage, 'saved')
  assert.equal(state.work.iteration, 1)
  assert.equal(state.limits.agentErrorsInRow, 0)
  assert.equal(state.cost.costUsd, 0.5, 'what it cost is spent')
  assert.deepEqual(decide(state, endOf(state) + minute), prepare(2))
})

test('without a time it waits 1, 2, 4 … at most 30 minutes; with one until then, and no less than that', () => {
  for (const [times, minutes] of [1, 2, 4, 8, 16, 30, 30].entries()) {
    const state = limitedTimes(times + 1, null)
    assert.deepEqual(decide(state, state.lastAt), wait(endOf(state) + minutes * minute))
  }
  const named = limitedTimes(1, 9_000_000)
  assert.deepEqual(decide(named, named.lastAt), wait(9_000_000))
  const gone = limitedTimes(1, 5)
  assert.deepEqual(decide(gone, gone.lastAt), prepare(2), 'a time that is over')
  const again = limitedTimes(2, 5)
  assert.deepEqual(decide(again, again.lastAt), wait(endOf(again) + minute), 'which did not hold')
})

test('the wait is shown, ends by itself, and counts towards --max-wait', () => {
  const given = { maxWaitMs: 3 * minute }
  const limited = limitedTimes(1, null, given)
  const until = endOf(limited) + minute
  const waiting = after(limited, { kind: 'wait.started', data: { for: 'usage-limit', until } })
  assert.equal(summarize(waiting).status, 'waiting')
  assert.equal(
    reasonWords(summarize(waiting), until - 5_000),
    'at its usage limit (custom: usage limit reached); next try in 5.0s',
  )
  assert.deepEqual(decide(waiting, until - 1), { do: 'wait', until })
  assert.deepEqual(decide(waiting, until), { do: 'record', event: { kind: 'wait.ended', data: {} } })
  const waited = but(limitedTimes(2, null, given), { limits: { limitWaitMs: 1.5 * minute } })
  assert.deepEqual(decide(waited, waited.lastAt), hold('limit-too-long'), '2 minutes more are too many')
})

test('a limit far away is not waited for, and whoever resumes wants it tried now', () => {
  const far = limitedTimes(1, Number.MAX_SAFE_INTEGER)
  assert.deepEqual(decide(far, far.lastAt), hold('limit-too-long'))
  const resumed = after(far, held('limit-too-long'), { kind: 'loop.resumed', data: {} })
  assert.deepEqual(decide(resumed, resumed.lastAt), prepare(2))
})

test('a run that could work resets the count', () => {
  const state = after(limitedTimes(3, null), started(4, 1), ended(4))
  assert.deepEqual(state.limits.limited, {})
})

test('a fallback runs instead, and the agent itself again once its limit is over', () => {
  const fallbacks: Spec['fallbacks'] = [
    { agent: 'codex', agentCmd: 'codex' },
    { agent: 'gemini', agentCmd: 'gemini' },
  ]
  const switched = (to: 'codex' | 'gemini' | 'custom', why = 'usage limit'): Event => ({
    kind: 'agent.switched',
    data: { to, why },
  })
  const one = limitedTimes(1, null, { fallbacks })
  assert.deepEqual(decide(one, one.lastAt), { do: 'record', event: switched('codex') })
  const two = after(one, switched('codex'))
  assert.deepEqual(decide(two, two.lastAt), prepare(2))
  const three = after(two, started(2, 1), limit(2, 9_000_000), cleared(2))
  assert.deepEqual(decide(three, three.lastAt), { do: 'record', event: switched('gemini') })
  const later = endOf(one) + minute
  assert.deepEqual(decide(three, later), { do: 'record', event: switched('custom') })
  const all = after(three, switched('gemini'), started(3, 1), limit(3, 8_000_000), cleared(3))
  assert.deepEqual(decide(all, all.lastAt), wait(later), 'the one that is free first')
})

test('an invalid key stops the loop at once; resumed, the same iteration is run again', () => {
  const barred = after(at('saved'), started(1), ended(1, { auth: 'invalid x-api-key' }), cleared(1))
  assert.deepEqual(decide(barred, barred.lastAt), hold('agent-auth'))
  const paused = after(barred, held('agent-auth'))
  assert.deepEqual(decide(paused, 0), { do: 'rest' })
  const { status, reason, detail } = summarize(paused)
  assert.deepEqual([status, reason, detail], ['paused', 'agent-auth', 'invalid x-api-key'])
  const resumed = after(paused, { kind: 'loop.resumed', data: {} })
  assert.deepEqual(decide(resumed, resumed.lastAt), prepare(2))
})

test('limits cost money too, and a cancel is not a limit', () => {
  const state = limitedTimes(1, 5, { budgetUsd: 0.5 })
  assert.deepEqual(decide(state, state.lastAt), hold('budget-reached'))
  const stopped = ended(1, { how: 'stopped', limit: { until: null, why: 'x' } })
  const gone = after(at('running'), cancelled, stopped, cleared(1))
  assert.equal(gone.work.stage, 'cleared')
  assert.deepEqual(decide(gone, 0), {
    do: 'record',
    event: { kind: 'loop.cancelled', data: { ship: unready } },
  })
})

test('a clock that was set: back, the agent is asked again; forward, no more was waited than was to be', () => {
  const day = 24 * 60 * minute
  const state = limitedTimes(1, 9_000_000)
  assert.deepEqual(decide(state, endOf(state) - 1), prepare(2))
  const until = state.lastAt + 10 * minute
  const waiting = after(state, { kind: 'wait.started', data: { for: 'usage-limit', until } })
  const over = (when: number) =>
    evolve(waiting, recorded({ kind: 'wait.ended', data: {} }, { seq: waiting.seq + 1, at: when })).limits
      .limitWaitMs
  assert.equal(over(waiting.lastAt + minute), minute)
  assert.equal(over(waiting.lastAt + day), until - waiting.lastAt)
  assert.equal(over(waiting.lastAt - day), 0)
})

const away = (run: number, kind: LimitKind): Event =>
  ended(run, { exitCode: 1, limit: { until: null, why: 'as the agent says', kind } })

function awayTimes(kinds: LimitKind[], given: Partial<Spec> = {}): State {
  return kinds.reduce(
    (state, kind, i) => after(state, started(i + 1, 1), away(i + 1, kind), cleared(i + 1)),
    at('saved', given),
  )
}

const waitingFor = (state: State, until: number) =>
  after(state, { kind: 'wait.started', data: { for: 'usage-limit', until } })

test('no network and an overload are waited for like a limit, and said in their own words', () => {
  const words = {
    network: 'custom cannot reach its model (as the agent says); next try in 5.0s',
    overload: 'the model of custom is overloaded (as the agent says); next try in 5.0s',
  }
  for (const kind of ['network', 'overload'] as const) {
    for (const [times, minutes] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      const state = awayTimes(Array(times + 1).fill(kind))
      assert.equal(state.work.iteration, 1)
      assert.deepEqual(decide(state, state.lastAt), wait(endOf(state) + minutes * minute))
    }
    const state = awayTimes([kind])
    const until = endOf(state) + minute
    const summary = summarize(waitingFor(state, until))
    assert.deepEqual([summary.status, summary.waitFor], ['waiting', 'usage-limit'])
    assert.equal(reasonWords(summary, until - 5_000), words[kind])
  }
})

test('another kind of trouble begins a row of its own', () => {
  const state = awayTimes(['network', 'network', 'network', 'overload'])
  assert.deepEqual(decide(state, state.lastAt), wait(endOf(state) + minute))
})

test('longer than --max-wait: paused, and said what for', () => {
  const state = awayTimes(['network', 'network'], { maxWaitMs: minute })
  assert.deepEqual(decide(state, state.lastAt), hold('limit-too-long'))
  const summary = summarize(after(state, held('limit-too-long')))
  assert.equal(
    reasonWords(summary, 0),
    'custom cannot reach its model (as the agent says), for longer than --max-wait allows',
  )
  assert.deepEqual(nextSteps(summary), [`When its model can be reached again: loop resume ${summary.id}`])
})

test('a fallback runs at an overload and without a network; where none can, each is named with its reason', () => {
  const fallbacks: Spec['fallbacks'] = [{ agent: 'codex', agentCmd: 'codex' }]
  const whys = { network: 'no network', overload: 'overload' }
  for (const kind of ['network', 'overload'] as const) {
    const state = awayTimes([kind], { fallbacks })
    const switched: Event = { kind: 'agent.switched', data: { to: 'codex', why: whys[kind] } }
    assert.deepEqual(decide(state, state.lastAt), { do: 'record', event: switched })
    const worked = after(state, switched, started(2, 1), ended(2), cleared(2))
    const again = but(worked, { work: { stage: 'saved', run: null } })
    assert.deepEqual(decide(again, again.lastAt + minute), {
      do: 'record',
      event: { kind: 'agent.switched', data: { to: 'custom', why: 'to be tried again' } },
    })
    const both = after(state, switched, started(2, 1), limit(2), cleared(2))
    const summary = summarize(waitingFor(both, both.lastAt + minute))
    assert.match(
      reasonWords(summary, both.lastAt),
      /custom.* \(as the agent says\); codex is at its usage limit \(usage limit reached\); next try in 1m$/,
    )
  }
})
